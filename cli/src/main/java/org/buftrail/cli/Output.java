package org.buftrail.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.agent.report.OutputFile;

/** Where a command's result goes: a file, which appears whole or not at all, or standard output. */
final class Output {
  /** The name that stands for standard output. */
  static final String STANDARD = "-";

  private static final String NOT_WRITTEN = "standard output was closed, or its device is full";

  private static final int BUFFER_BYTES = 1 << 16;

  private Output() {}

  /** What is to be written. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Whether a target takes one output as it comes: standard output, a device or a pipe. */
  static boolean isStream(String target) {
    Path file = Path.of(target);
    return target.equals(STANDARD) || OutputFile.isStream(file);
  }

  /**
   * Writes to a file, replacing what is there, or to standard output.
   *
   * @param target a file name or {@link #STANDARD}
   * @throws CommandFailure naming the file and the reason; whatever was there is still there
   */
  static void write(String target, Terminal terminal, Content content) throws CommandFailure {
    write(Map.of(target, content), terminal);
  }

  /**
   * Writes several files, replacing what is there; none before all are written beside their places.
   * Only if one cannot be moved then, are those before it in place.
   *
   * @param targets by file name or {@link #STANDARD}
   * @throws CommandFailure naming the file and the reason; whatever was there is still there
   */
  static void write(Map<String, Content> targets, Terminal terminal) throws CommandFailure {
    Map<String, OutputFile> written = new LinkedHashMap<>();
    String target = "";
    try {
      for (Map.Entry<String, Content> each : targets.entrySet()) {
        target = each.getKey();
        write(target, each.getValue(), terminal, written);
      }
      for (Map.Entry<String, OutputFile> each : written.entrySet()) {
        target = each.getKey();
        each.getValue().commit();
      }
    } catch (IOException e) {
      String reason = OutputFile.reason(Path.of(target), e);
      throw new CommandFailure("cannot write " + target + ": " + reason, e);
    } finally {
      for (OutputFile each : written.values()) {
        close(each);
      }
    }
  }

  private static void write(
      String target, Content content, Terminal terminal, Map<String, OutputFile> written)
      throws IOException {
    if (target.equals(STANDARD)) {
      writeStandard(terminal.bytes(), content);
      return;
    }
    OutputFile file = OutputFile.at(Path.of(target));
    written.put(target, file);
    try (OutputStream out = new BufferedOutputStream(file.open(), BUFFER_BYTES)) {
      content.writeTo(out);
    }
  }

  private static void close(OutputFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // What is worth saying has been said.
    }
  }

  private static void writeStandard(PrintStream out, Content content) throws IOException {
    content.writeTo(out);
    if (out.checkError()) {
      throw new IOException(NOT_WRITTEN);
    }
  }

  /** Says so when what was printed did not arrive; answers the exit code. */
  static int check(int exit, PrintStream out, Terminal terminal) {
    if (exit != Main.DONE || !out.checkError()) {
      return exit;
    }
    terminal.fail("cannot write " + STANDARD + ": " + NOT_WRITTEN);
    return Main.FAILED;
  }
}
