package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.ProcessMemory;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code resident} of {@link SnapshotJson}, both ways, and of the page: who shares the
 * resident set of the process.
 *
 * <pre>
 * {"owners":[{"owner":"Java heap","residentBytes":..,"notInRamBytes":..,"known":".."},..],
 *  "limits":["..",..]}
 * </pre>
 */
public final class ProcessMemoryJson {
  private ProcessMemoryJson() {}

  /** Writes the member, or nothing where nobody asked. */
  static void write(@Nullable ProcessMemory memory, JsonOut json) throws IOException {
    if (memory == null) {
      return;
    }
    members(memory, json.name("resident").beginObject());
    json.endObject();
  }

  /**
   * Writes the members of an object that is open.
   *
   * @throws IOException when {@code json} does
   */
  public static void members(ProcessMemory memory, JsonOut json) throws IOException {
    json.name("owners").beginArray();
    for (ProcessMemory.Owner owner : memory.owners()) {
      json.newLine().beginObject().name("owner").value(owner.name());
      json.name("residentBytes").value(owner.resident());
      json.name("notInRamBytes").value(owner.beyond());
      json.name("known").value(owner.known()).endObject();
    }
    json.endArray().name("limits").texts(memory.limits());
  }

  /** Reads the member's value. */
  static ProcessMemory read(JsonIn in) throws IOException {
    List<ProcessMemory.Owner> owners = List.of();
    List<String> limits = List.of();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "owners":
          owners = in.list(ProcessMemoryJson::owner);
          break;
        case "limits":
          limits = in.list(JsonIn::string);
          break;
        default:
          in.skip();
      }
    }
    return new ProcessMemory(owners, limits);
  }

  private static ProcessMemory.Owner owner(JsonIn in) throws IOException {
    String owner = "";
    long resident = 0;
    long beyond = 0;
    String known = "";
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "owner":
          owner = in.string();
          break;
        case "residentBytes":
          resident = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "notInRamBytes":
          beyond = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "known":
          known = in.string();
          break;
        default:
          in.skip();
      }
    }
    return new ProcessMemory.Owner(owner, resident, beyond, known);
  }
}
