package org.buftrail.console.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.jspecify.annotations.Nullable;

/** Whether an output is one of the inputs, whatever links and names lead there. Thread-safe. */
public final class Overwriting {
  private @Nullable Set<Object> keys;

  public Overwriting() {}

  /**
   * Refuses an output that is a recording to be converted, which would be lost.
   *
   * @param inputs all of the command, the same each time
   * @throws WrongUsage if it is
   */
  public synchronized void refuse(String target, List<Path> inputs) throws IOException {
    Path output = Path.of(target);
    if (target.equals(Output.STANDARD) || !Files.isRegularFile(output)) {
      return;
    }
    Set<Object> known = keys;
    if (known == null) {
      known = keys(inputs);
      keys = known;
    }
    if (known.contains(key(output))) {
      throw new WrongUsage(target + " is an input, which would be lost");
    }
  }

  /** Says of each recording that is given once more, perhaps by another name, that it counts so. */
  public static void noteRepeated(List<Path> inputs, Terminal terminal) throws IOException {
    if (inputs.size() < 2) {
      return;
    }
    Set<Object> seen = new HashSet<>();
    for (Path input : inputs) {
      if (Files.isRegularFile(input) && !seen.add(key(input))) {
        terminal.note(input + " is an input already; it counts again");
      }
    }
  }

  private static Set<Object> keys(List<Path> inputs) throws IOException {
    Set<Object> found = new HashSet<>();
    for (Path input : inputs) {
      try {
        for (Path file : Recording.matching(List.of(input)).files()) {
          if (Files.isRegularFile(file)) {
            found.add(key(file));
          }
        }
      } catch (RecordingException e) {
        // Is said when it is read.
      }
    }
    return found;
  }

  /** The identity of a file; its name where the system has nothing better. */
  private static Object key(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return Objects.requireNonNullElse(key, file.toRealPath());
  }
}
