package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code peak} of {@link SnapshotJson}, both ways: what was live at the highest moment.
 *
 * <pre>
 * {"at":"2026-01-31T11:57:03.050Z","live":..,"liveBytes":..,
 *  "paths":[{"path":{"hops":[..],"refs":[..],"sites":[..]},"direct":true,
 *            "live":..,"liveBytes":..},..]}
 * </pre>
 *
 * <p>{@code live} and {@code liveBytes} of the whole count all paths, also those that are not in
 * the list.
 */
final class PeakJson {
  private PeakJson() {}

  /** Writes the member, or nothing where nobody looked. */
  static void write(@Nullable Peak peak, JsonOut json) throws IOException {
    if (peak == null) {
      return;
    }
    json.name("peak").beginObject();
    json.name("at").value(Instant.ofEpochMilli(peak.atMillis()).toString());
    live(peak.flows(), json);
    json.name("paths").beginArray();
    for (Peak.Row row : peak.rows()) {
      json.newLine().beginObject().name("path").beginObject();
      SnapshotJson.hops(row.hops(), json);
      json.endObject().name("direct").value(row.isDirect());
      live(row.flows(), json);
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void live(Path.Flows flows, JsonOut json) throws IOException {
    json.name("live").value(flows.count()).name("liveBytes").value(flows.bytes());
  }

  /** Reads the member's value. */
  static Peak read(JsonIn in, PathJsonReader paths) throws IOException {
    long at = 0;
    long live = 0;
    long bytes = 0;
    List<Peak.Row> rows = List.of();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "at":
          at = in.time().toEpochMilli();
          break;
        case "live":
          live = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "liveBytes":
          bytes = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "paths":
          rows = in.list(each -> row(each, paths));
          break;
        default:
          in.skip();
      }
    }
    return new Peak(at, new Path.Flows(live, bytes), rows);
  }

  private static Peak.Row row(JsonIn in, PathJsonReader paths) throws IOException {
    List<Path.Hop> hops = null;
    boolean direct = false;
    long live = 0;
    long bytes = 0;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "path":
          hops = paths.path().hops();
          break;
        case "direct":
          direct = in.bool();
          break;
        case "live":
          live = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "liveBytes":
          bytes = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        default:
          in.skip();
      }
    }
    if (hops == null) {
      throw in.fault("what was live at the peak has no \"path\"");
    }
    return new Peak.Row(hops, direct, new Path.Flows(live, bytes));
  }
}
