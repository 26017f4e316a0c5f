package org.buftrail.junit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Misuse;
import org.jspecify.annotations.Nullable;

/**
 * Workflow commands of GitHub Actions, which show what a test leaves open beside its line in a pull
 * request: an error, or a warning for a known leak. Immutable.
 */
final class GithubAnnotations {
  /**
   * Maven 4 puts a prefix before what a test prints, and a command must begin a line. The runner
   * reads a carriage return as the end of one, also alone.
   */
  private static final String LINE_START = "\r::";

  private static final List<String> SOURCES =
      List.of(
          "src/test/java",
          "src/main/java",
          "src/test/kotlin",
          "src/main/kotlin",
          "src/test/groovy",
          "src/integrationTest/java");

  private final Path module;
  private final @Nullable Path workspace;

  /**
   * @param module directory of the build's module
   * @param environment of this JVM
   */
  GithubAnnotations(Path module, Map<String, String> environment) {
    this.module = module.toAbsolutePath().normalize();
    String root = environment.get("GITHUB_WORKSPACE");
    boolean isThere = "true".equals(environment.get("GITHUB_ACTIONS")) && root != null;
    this.workspace = isThere ? Path.of(root).toAbsolutePath().normalize() : null;
  }

  /** One line for each leak, overrun budget and misuse; none outside GitHub Actions. */
  List<String> lines(Verdict verdict, KnownLeaks known) {
    List<String> lines = new ArrayList<>();
    if (workspace == null) {
      return lines;
    }
    for (Leak leak : verdict.leaks) {
      StackTraceElement[] trace = leak.traceOfOwner();
      String text = verdict.name + " left " + Verdict.amount(leak) + "; " + leak.lastSeen();
      lines.add(
          line(known.has(verdict.name, leak) ? "warning" : "error", "Buffer leak", trace, text));
    }
    for (Overrun overrun : verdict.overruns) {
      String text = verdict.name + " " + overrun.text;
      lines.add(line("error", "Buffer budget", overrun.trace(), text));
    }
    for (Misuse misuse : verdict.misuses) {
      StackTraceElement[] trace = Leak.trace(misuse.site());
      String text = verdict.name + ": " + misuse.kind().text() + " at " + trace[0];
      lines.add(line("error", "Buffer misuse", trace, text));
    }
    return lines;
  }

  private String line(String level, String title, StackTraceElement[] trace, String text) {
    String place = "";
    for (StackTraceElement frame : trace) {
      Path source = source(frame);
      if (source != null) {
        place = "file=" + property(source.toString().replace('\\', '/'));
        place += frame.getLineNumber() > 0 ? ",line=" + frame.getLineNumber() + "," : ",";
        break;
      }
    }
    return LINE_START + level + " " + place + "title=" + title + "::" + escaped(text);
  }

  /** The file of a frame, relative to the workspace; null where this module has none. */
  private @Nullable Path source(StackTraceElement frame) {
    String type = frame.getClassName();
    int end = type.lastIndexOf('.');
    String folder = end < 0 ? "" : type.substring(0, end).replace('.', '/') + "/";
    String file = String.valueOf(frame.getFileName());
    String name = file.endsWith(".java") ? file.substring(0, file.length() - 5) : file;
    for (String root : SOURCES) {
      String ending = "." + root.substring(root.lastIndexOf('/') + 1);
      Path source = module.resolve(root).resolve(folder + name + ending.replace("kotlin", "kt"));
      if (Files.isRegularFile(source) && workspace != null && source.startsWith(workspace)) {
        return workspace.relativize(source);
      }
    }
    return null;
  }

  private static String escaped(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return escaped(text).replace(":", "%3A").replace(",", "%2C");
  }
}
