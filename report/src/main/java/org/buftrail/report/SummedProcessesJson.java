package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.SummedProcesses;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code processes} of {@link SnapshotJson}, both ways, and of the page: what a snapshot
 * is the sum of.
 *
 * <pre>
 * {"service":"shop 2",
 *  "each":[{"process":"web-3/17","allocated":..,"leaked":..,"leakedBytes":..,
 *           "difference":"leaks, unlike most"},..],
 *  "leaksOfSome":[{"place":"com.example.Orders.refuse:42","in":"web-3/17"},..],"notListed":..}
 * </pre>
 */
final class SummedProcessesJson {
  private SummedProcessesJson() {}

  /** Writes the member, or nothing for a snapshot of one process. */
  static void write(@Nullable SummedProcesses processes, JsonOut json) throws IOException {
    if (processes == null) {
      return;
    }
    json.name("processes").beginObject().name("service").value(processes.service());
    json.name("each").beginArray();
    for (SummedProcesses.Share share : processes.shares()) {
      json.newLine().beginObject().name("process").value(share.process());
      json.name("allocated").value(share.allocated());
      json.name("leaked").value(share.leaked().count());
      json.name("leakedBytes").value(share.leaked().bytes());
      if (!share.difference().isEmpty()) {
        json.name("difference").value(share.difference());
      }
      json.endObject();
    }
    json.endArray().name("leaksOfSome").beginArray();
    for (SummedProcesses.PartialLeak leak : processes.partialLeaks()) {
      json.newLine().beginObject().name("place").value(leak.place());
      json.name("in").value(leak.processes()).endObject();
    }
    json.endArray();
    if (processes.unlisted() > 0) {
      json.name("notListed").value(processes.unlisted());
    }
    json.endObject();
  }

  /** Reads the member's value. */
  static SummedProcesses read(JsonIn in) throws IOException {
    String service = "";
    List<SummedProcesses.Share> shares = List.of();
    List<SummedProcesses.PartialLeak> leaks = List.of();
    long unlisted = 0;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "service":
          service = in.string();
          break;
        case "each":
          shares = in.list(SummedProcessesJson::share);
          break;
        case "leaksOfSome":
          leaks = in.list(SummedProcessesJson::leak);
          break;
        case "notListed":
          unlisted = in.wholeNumber(0, Integer.MAX_VALUE);
          break;
        default:
          in.skip();
      }
    }
    return new SummedProcesses(service, shares, leaks, (int) unlisted);
  }

  private static SummedProcesses.Share share(JsonIn in) throws IOException {
    String process = "";
    long allocated = 0;
    long leaked = 0;
    long leakedBytes = 0;
    String difference = "";
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "process":
          process = in.string();
          break;
        case "allocated":
          allocated = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "leaked":
          leaked = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "leakedBytes":
          leakedBytes = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "difference":
          difference = in.string();
          break;
        default:
          in.skip();
      }
    }
    return new SummedProcesses.Share(
        process, allocated, new Path.Flows(leaked, leakedBytes), difference);
  }

  private static SummedProcesses.PartialLeak leak(JsonIn in) throws IOException {
    String place = "";
    String processes = "";
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "place":
          place = in.string();
          break;
        case "in":
          processes = in.string();
          break;
        default:
          in.skip();
      }
    }
    return new SummedProcesses.PartialLeak(place, processes);
  }
}
