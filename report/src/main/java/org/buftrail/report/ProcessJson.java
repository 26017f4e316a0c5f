package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import org.buftrail.model.Path;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** The member {@code process} of {@link SnapshotJson}, both ways. */
public final class ProcessJson {
  private ProcessJson() {}

  /** Writes the member, or nothing where nobody said whose flows these are. */
  static void write(@Nullable TrackedProcess process, JsonOut json) throws IOException {
    if (process != null) {
      json.name("process").beginObject();
      members(process, json);
      json.endObject();
    }
  }

  /**
   * Writes the members of an object that is open already; those that are not known are left out.
   *
   * @throws IOException when {@code json} does
   */
  public static void members(TrackedProcess process, JsonOut json) throws IOException {
    text("name", process.name(), json);
    text("version", process.version(), json);
    json.name("pid").value(process.pid());
    text("host", process.host(), json);
    if (process.startedAtMillis() != Path.NEVER) {
      json.name("startedAt").value(Instant.ofEpochMilli(process.startedAtMillis()).toString());
    }
    text("java", process.java(), json);
    text("options", process.options(), json);
  }

  private static void text(String name, String text, JsonOut json) throws IOException {
    if (!text.isEmpty()) {
      json.name(name).value(text);
    }
  }

  static TrackedProcess read(JsonIn in) throws IOException {
    String program = "";
    String version = "";
    long pid = 0;
    String host = "";
    long startedAt = Path.NEVER;
    String java = "";
    String options = "";
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "name":
          program = in.string();
          break;
        case "version":
          version = in.string();
          break;
        case "pid":
          pid = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "host":
          host = in.string();
          break;
        case "startedAt":
          startedAt = in.time().toEpochMilli();
          break;
        case "java":
          java = in.string();
          break;
        case "options":
          options = in.string();
          break;
        default:
          in.skip();
      }
    }
    return new TrackedProcess(program, pid, host, startedAt, java, options).withVersion(version);
  }
}
