package org.buftrail.junit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The summary of a step of GitHub Actions, which is shown with the run of a pull request: a file
 * that all JVMs of the step add to. Each module has a section there, which is written anew by each
 * of its JVMs. Thread-safe.
 */
final class StepSummary {
  /** GitHub takes 1 MiB of a step, and else nothing. */
  private static final int MAX_CHARS = 100_000;

  private final @Nullable Path file;
  private final String module;

  /**
   * @param module directory of the build's module
   * @param environment of this JVM
   */
  StepSummary(Path module, Map<String, String> environment) {
    String named = environment.get("GITHUB_STEP_SUMMARY");
    String root = environment.get("GITHUB_WORKSPACE");
    this.file = named == null || named.isEmpty() ? null : Path.of(named);
    this.module = root == null ? "" : name(module.toAbsolutePath().normalize(), Path.of(root));
  }

  private static String name(Path module, Path root) {
    Path workspace = root.toAbsolutePath().normalize();
    return module.startsWith(workspace)
        ? workspace.relativize(module).toString().replace('\\', '/')
        : module.toString();
  }

  /**
   * Makes this the section of the module. Does nothing outside GitHub Actions.
   *
   * @param markdown its title in the first line; empty for no section
   */
  @SuppressWarnings("try") // the lock is held, not used
  void put(String markdown) throws IOException {
    Path summary = file;
    if (summary == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(summary, CREATE, READ, WRITE);
        FileLock lock = channel.lock()) {
      String others = without(SharedText.read(channel));
      SharedText.write(channel, markdown.isEmpty() ? others : others + section(markdown));
    }
  }

  private String without(String text) {
    int from = text.indexOf(begin());
    int to = from < 0 ? -1 : text.indexOf(end(), from);
    return to < 0 ? text : text.substring(0, from) + text.substring(to + end().length());
  }

  private String section(String markdown) {
    String text = markdown;
    if (text.length() > MAX_CHARS) {
      int cut = text.lastIndexOf('\n', MAX_CHARS);
      text = text.substring(0, cut + 1) + "\nThe rest is in `leaks.md`.\n";
    }
    if (!module.isEmpty()) {
      text = text.replaceFirst("\n", Matcher.quoteReplacement(" of `" + module + "`\n"));
    }
    return begin() + text + end();
  }

  private String begin() {
    return "\n<!-- buftrail " + module + " -->\n";
  }

  private String end() {
    return "\n<!-- end of buftrail " + module + " -->\n";
  }
}
