package org.buftrail.junit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.buftrail.model.Path.Hop;
import org.buftrail.model.Site;

/**
 * Leaks that a project had when it began to look: they warn, where others fail. A file of paths,
 * one a line, outermost place first, without lines of the source; {@code #} begins a comment.
 * Immutable.
 */
final class KnownLeaks {
  private static final String SEPARATOR = " > ";
  private static final String HEAD =
      "# Leaks of tests that are known: they warn, and others fail. Written by Buftrail with\n"
          + "# -Dbuftrail.test.writeKnownLeaks=true. What no longer happens is reported: remove its"
          + " line.\n";

  private final Path file;
  private final Set<String> paths;

  /** Whether the file is to be written: no leak fails meanwhile. */
  final boolean areWritten;

  private KnownLeaks(Path file, Set<String> paths, boolean areWritten) {
    this.file = file;
    this.paths = paths;
    this.areWritten = areWritten;
  }

  /**
   * @param file need not exist
   * @throws IOException if it is there and cannot be read
   */
  static KnownLeaks read(Path file, boolean areWritten) throws IOException {
    TreeSet<String> paths = new TreeSet<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String path = line.strip();
        if (!path.isEmpty() && !path.startsWith("#")) {
          paths.add(path);
        }
      }
    }
    return new KnownLeaks(file, paths, areWritten);
  }

  /**
   * By methods: a line that moved makes no other leak. Where nothing but the allocator is known,
   * which all leaks of libraries share, with the class whose tests left it open.
   */
  static String path(List<Hop> hops, Site test) {
    String way =
        hops.stream().map(hop -> hop.site().qualifiedName()).collect(Collectors.joining(SEPARATOR));
    return Leak.trace(hops).length > 1 ? way : way + ", in " + test.className();
  }

  /**
   * @param name the test, class or run that left it open
   */
  boolean has(String name, Leak leak) {
    return areWritten || paths.contains(path(leak.path.hops(), place(name)));
  }

  /** A test as a place in code. */
  static Site place(String name) {
    int arguments = name.indexOf('(');
    int method = name.lastIndexOf('.', arguments < 0 ? name.length() : arguments);
    return arguments < 0 || method < 0
        ? new Site(name, "class", "", 0, "")
        : new Site(name.substring(0, method), name.substring(method + 1), "", 0, "");
  }

  /**
   * Adds these to the known ones. What is there stays, with its comments: other JVMs of the build
   * write to the file too, and other modules may.
   *
   * @return a line for people
   */
  @SuppressWarnings("try") // the lock is held, not used
  String write(Set<String> seen) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        FileLock lock = channel.lock()) {
      String before = SharedText.read(channel);
      Set<String> there = before.lines().map(String::strip).collect(Collectors.toSet());
      StringBuilder text = new StringBuilder(before.isEmpty() ? HEAD : before);
      if (text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
      int added = 0;
      for (String path : new TreeSet<>(seen)) {
        if (!there.contains(path)) {
          text.append(path).append('\n');
          added++;
        }
      }
      SharedText.write(channel, text.toString());
      return added + " more known leaks are in " + file;
    }
  }

  /**
   * Those that did not happen, as Markdown, or nothing. Right once all JVMs of a run have ended, so
   * it belongs into the report that each of them renews.
   *
   * @param seen all paths that tests of the run left open so far
   */
  String gone(Set<String> seen) {
    StringBuilder text = new StringBuilder();
    for (String path : paths) {
      if (!areWritten && !seen.contains(path)) {
        text.append("- `").append(path).append("`\n");
      }
    }
    return text.length() == 0
        ? ""
        : "\nKnown leaks that did not happen in these tests; remove them from `"
            + file
            + "`:\n\n"
            + text;
  }
}
