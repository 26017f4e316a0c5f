package org.buftrail.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import org.buftrail.model.Minutes;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.buftrail.model.SummedProcesses;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.json.JsonException;
import org.buftrail.profile.json.JsonIn;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link SnapshotJson} writes.
 *
 * <p>Strict where it matters and bounded everywhere: JSON must be well-formed and at most 1 Gi
 * characters long, counts must be whole numbers of 0 or more, and each path needs as many reference
 * counts and sites as hops. Members that are not known are passed over, so a later minor addition
 * still reads. Descriptors are not in the file; sites read back have none.
 */
public final class SnapshotJsonReader {
  static final long MAX_CHARS = 1L << 30;
  private static final int MAX_STRING = 1 << 16;
  private static final int MAX_DEPTH = 64;

  private final JsonIn in;
  private final PathJsonReader pathReader;
  private boolean formatSeen;
  private boolean versionSeen;
  private @Nullable Instant takenAt;
  private long sampling = 1;
  private long hopRules = Snapshot.FIRST_HOP_RULES;
  private long allocated = -1;
  private long overflowed;
  private final TrackerStatus.Builder status = new TrackerStatus.Builder();
  private @Nullable TrackedProcess process;
  private @Nullable List<Path> paths;
  private List<Misuse> misuses = List.of();
  private @Nullable PoolMemory pools;
  private @Nullable Peak peak;
  private @Nullable Minutes minutes;
  private @Nullable ProcessMemory resident;
  private @Nullable SummedProcesses processes;

  private SnapshotJsonReader(Reader text, long maxChars) {
    in = new JsonIn(text, maxChars, MAX_STRING, MAX_DEPTH);
    pathReader = new PathJsonReader(in);
  }

  /**
   * Reads a file.
   *
   * @throws JsonException when it does not hold a snapshot
   * @throws IOException when it cannot be read
   */
  public static Snapshot read(java.nio.file.Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file);
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder())) {
      return read(text);
    } catch (JsonException e) {
      throw e.in(file.toString());
    }
  }

  /**
   * Reads to the end of {@code text} and leaves it open.
   *
   * @throws JsonException when it is not a snapshot
   * @throws IOException when {@code text} throws it
   */
  public static Snapshot read(Reader text) throws IOException {
    return read(text, MAX_CHARS);
  }

  static Snapshot read(Reader text, long maxChars) throws IOException {
    return new SnapshotJsonReader(text, maxChars).snapshot();
  }

  private Snapshot snapshot() throws IOException {
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      member(name);
    }
    in.end();
    if (!formatSeen || !versionSeen) {
      throw missing(formatSeen ? "version" : "format");
    }
    if (takenAt == null) {
      throw missing("takenAt");
    }
    if (paths == null) {
      throw missing("paths");
    }
    long started = allocated >= 0 ? allocated : pathReader.flows();
    return new Snapshot(
            takenAt.toEpochMilli(),
            (int) sampling,
            started,
            overflowed,
            status.build(),
            paths,
            misuses)
        .of(process)
        .withHopRules((int) hopRules)
        .with(pools)
        .with(peak)
        .with(minutes)
        .with(resident)
        .with(processes);
  }

  private void member(String name) throws IOException {
    switch (name) {
      case "format":
        format();
        break;
      case "version":
        version();
        break;
      case "takenAt":
        takenAt = in.time();
        break;
      case "sampling":
        sampling = in.wholeNumber(1, Integer.MAX_VALUE);
        break;
      case "hopRules":
        hopRules = in.wholeNumber(1, Integer.MAX_VALUE);
        break;
      case "process":
        process = ProcessJson.read(in);
        break;
      case "processes":
        processes = SummedProcessesJson.read(in);
        break;
      case "totals":
        totals();
        break;
      case "tracker":
        StatusJson.read(in, status);
        break;
      case "memory":
        pools = PoolJson.read(in, pathReader);
        break;
      case "resident":
        resident = ProcessMemoryJson.read(in);
        break;
      case "peak":
        peak = PeakJson.read(in, pathReader);
        break;
      case "minutes":
        minutes = new MinutesJsonReader(in, pathReader).read();
        break;
      case "paths":
        if (paths != null) {
          throw in.fault("\"paths\" stands twice");
        }
        paths = in.list(each -> pathReader.path());
        break;
      case "misuses":
        misuses = in.list(each -> pathReader.misuse());
        break;
      default:
        in.skip();
    }
  }

  private void format() throws IOException {
    String format = in.string();
    if (!format.equals(SnapshotJson.FORMAT)) {
      throw in.fault(
          "expected the format \""
              + SnapshotJson.FORMAT
              + "\", found \""
              + JsonIn.shortened(format)
              + "\"");
    }
    formatSeen = true;
  }

  private void version() throws IOException {
    long version = in.wholeNumber(0, Integer.MAX_VALUE);
    if (version != SnapshotJson.VERSION) {
      throw in.fault(
          "the snapshot has version " + version + ", this reads version " + SnapshotJson.VERSION);
    }
    versionSeen = true;
  }

  private void totals() throws IOException {
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "allocated":
          allocated = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "overflowed":
          overflowed = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "suppressedErrors":
          status.suppressedErrors(in.wholeNumber(0, Long.MAX_VALUE));
          break;
        default:
          in.skip();
      }
    }
  }

  private JsonException missing(String member) {
    return in.fault("no member \"" + member + "\": this is not a Buftrail snapshot");
  }
}
