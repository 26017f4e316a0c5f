package org.buftrail.console.output;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.report.OutputFile;

/** Where a command's result goes: a file, which appears whole or not at all, or standard output. */
public final class Output {
  /** The name that stands for standard output. */
  public static final String STANDARD = "-";

  private static final String NOT_WRITTEN = "standard output was closed, or its device is full";

  /** What {@code st_mode} says of a file. */
  private static final int FILE_TYPE = 0xf000;

  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xc000;

  private static final int BUFFER_BYTES = 1 << 16;

  private Output() {}

  /** The bytes to write. */
  public interface Content {
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
  public static void write(String target, Terminal terminal, Content content)
      throws CommandFailure {
    write(Map.of(target, content), terminal);
  }

  /**
   * Writes several files, replacing what is there; none before all are written beside their places.
   * Only if one cannot be moved then, are those before it in place.
   *
   * @param targets by file name or {@link #STANDARD}
   * @throws CommandFailure naming the file and the reason; whatever was there is still there
   */
  public static void write(Map<String, Content> targets, Terminal terminal) throws CommandFailure {
    Map<String, OutputFile> written = new LinkedHashMap<>();
    String target = "";
    try (Unfinished unfinished = new Unfinished()) {
      for (Map.Entry<String, Content> each : targets.entrySet()) {
        target = each.getKey();
        if (target.equals(STANDARD)) {
          writeStandard(terminal.bytes(), each.getValue());
        } else {
          OutputFile file = OutputFile.at(Path.of(target));
          written.put(target, file);
          write(file, each.getValue(), unfinished);
        }
      }
      for (Map.Entry<String, OutputFile> each : written.entrySet()) {
        target = each.getKey();
        unfinished.commit(each.getValue());
      }
    } catch (IOException e) {
      String reason = OutputFile.reason(Path.of(target), e);
      throw new CommandFailure("cannot write " + target + ": " + reason, e);
    }
  }

  private static void write(OutputFile file, Content content, Unfinished unfinished)
      throws IOException {
    try (OutputStream out = new BufferedOutputStream(unfinished.open(file), BUFFER_BYTES)) {
      content.writeTo(out);
    }
  }

  private static void writeStandard(PrintStream out, Content content) throws IOException {
    content.writeTo(out);
    if (out.checkError()) {
      if (isClosedPipe(out)) {
        throw new ClosedPipe();
      }
      throw new IOException(NOT_WRITTEN);
    }
  }

  /** Says so when what was printed did not arrive; answers the exit code. */
  public static int check(int exit, PrintStream out, Terminal terminal) {
    if (exit != Exit.DONE || !out.checkError()) {
      return exit;
    }
    if (isClosedPipe(out)) {
      return Exit.CLOSED_PIPE;
    }
    terminal.fail("cannot write " + STANDARD + ": " + NOT_WRITTEN);
    return Exit.FAILED;
  }

  /**
   * Whether what cannot be printed is nobody's loss: into a pipe or a socket, writing fails only
   * once its reader is gone.
   */
  private static boolean isClosedPipe(PrintStream failed) {
    if (!Terminal.isStandardOutput(failed)) {
      return false;
    }
    try {
      Object mode = Files.getAttribute(Path.of("/dev/fd/1"), "unix:mode");
      int type = (Integer) mode & FILE_TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // The system does not say.
      return false;
    }
  }
}
