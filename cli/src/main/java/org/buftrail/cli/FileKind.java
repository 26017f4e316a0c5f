package org.buftrail.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a file seems to be by its first bytes, and which command takes it. */
enum FileKind {
  RECORDING("a flight recording", "convert"),
  SNAPSHOT("a flow snapshot", "report"),
  PROFILES("OpenTelemetry profiles", "check");

  private static final int SNIFFED = 256;
  private static final String RECORDING_START = "FLR\0";
  private static final String SNAPSHOT_FORMAT = "\"buftrail.flows\"";

  private final String what;
  private final String command;

  FileKind(String what, String command) {
    this.what = what;
    this.command = command;
  }

  /** Null where it is something else, or cannot be read as a file. */
  private static @Nullable FileKind of(Path file) {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file)) {
      String start = new String(in.readNBytes(SNIFFED), StandardCharsets.ISO_8859_1);
      if (start.startsWith(RECORDING_START)) {
        return RECORDING;
      }
      if (start.stripLeading().startsWith("{") && start.contains(SNAPSHOT_FORMAT)) {
        return SNAPSHOT;
      }
      return file.toString().endsWith(".otlp") ? PROFILES : null;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * What to say of a file beside an error of a command that does not take it.
   *
   * @param wanted what the command takes
   * @return empty, or {@code ; it is a flow snapshot: buftrail report flows.json}
   */
  static String hint(Path file, FileKind wanted) {
    FileKind kind = of(file);
    return kind == null || kind == wanted
        ? ""
        : "; it is " + kind.what + ": buftrail " + kind.command + " " + file;
  }
}
