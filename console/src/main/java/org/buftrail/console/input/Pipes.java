package org.buftrail.console.input;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.buftrail.profile.input.InputStart;

/**
 * Standard input and pipes, which can be read once, as files that can be looked at before they are
 * read. The copies are gone when it is closed, or the JVM ends. Thread-safe.
 */
public final class Pipes implements AutoCloseable {
  private static final Path STANDARD_INPUT = Path.of("-");

  /** How much of an unknown input is kept to say why it is unknown, in bytes. */
  private static final long MOST_UNKNOWN = 1 << 20;

  private final Sources sources;
  private final BiConsumer<Path, Path> names;
  private final List<Path> copies = new ArrayList<>();

  /**
   * @param names receives each copy, with the name that the user gave
   */
  public Pipes(Sources sources, BiConsumer<Path, Path> names) {
    this.sources = sources;
    this.names = names;
  }

  /** Whether an input can be read only once. */
  public static boolean isOne(Path input) {
    return input.equals(STANDARD_INPUT)
        || (Files.exists(input) && !Files.isRegularFile(input) && !Files.isDirectory(input));
  }

  /**
   * A file with what comes from standard input or a pipe. Whatever is neither is answered as it is,
   * and so is standard input with a recording, of which the converter makes a copy itself.
   *
   * @throws IOException if it cannot be read, or there is no room for a copy
   */
  public synchronized Path file(Path input) throws IOException {
    if (input.equals(STANDARD_INPUT)) {
      BufferedInputStream in = new BufferedInputStream(System.in, InputStart.LENGTH);
      System.setIn(in);
      in.mark(InputStart.LENGTH);
      boolean isRecording = sources.isRecording(InputStart.of(in));
      in.reset();
      return isRecording ? input : copy(in, Long.MAX_VALUE, input);
    }
    if (!isOne(input)) {
      return input;
    }
    try (BufferedInputStream in =
        // A channel cannot say how much of a pipe is available.
        new BufferedInputStream(new FileInputStream(input.toFile()), InputStart.LENGTH)) {
      in.mark(InputStart.LENGTH);
      boolean isKnown = sources.of(InputStart.of(in)) != null;
      in.reset();
      return copy(in, isKnown ? Long.MAX_VALUE : MOST_UNKNOWN, input);
    }
  }

  /** All inputs, so. */
  public List<Path> files(List<Path> inputs) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path input : inputs) {
      files.add(file(input));
    }
    return files;
  }

  private Path copy(InputStream from, long most, Path input) throws IOException {
    Path copy = Files.createTempFile("buftrail", ".input");
    copies.add(copy);
    copy.toFile().deleteOnExit();
    names.accept(copy, input);
    try (OutputStream out = Files.newOutputStream(copy)) {
      byte[] buffer = new byte[InputStart.LENGTH];
      long left = most;
      while (left > 0) {
        int count = from.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (count < 0) {
          break;
        }
        out.write(buffer, 0, count);
        left -= count;
      }
    }
    return copy;
  }

  @Override
  public synchronized void close() throws IOException {
    for (Path copy : copies) {
      Files.deleteIfExists(copy);
    }
    copies.clear();
  }
}
