package org.buftrail.agent.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.profile.json.JsonOut;

/** Whose buffers the page shows: it asks no name service. Immutable. */
final class About {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final Pattern AGENT = Pattern.compile("-javaagent:[^=]*buftrail[^=]*=(.*)");

  /** What others could get in with. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)([a-z]*(?:token|header|password|secret|key)[a-z]*=)[^;]*");

  private final String name;
  private final long pid;
  private final String host;
  private final String startedAt;
  private final String options;
  private final boolean hasSnapshots;

  private About(
      String name, long pid, String host, String startedAt, String options, boolean hasSnapshots) {
    this.name = name;
    this.pid = pid;
    this.host = host;
    this.startedAt = startedAt;
    this.options = options;
    this.hasSnapshots = hasSnapshots;
  }

  /**
   * This process.
   *
   * @param hasSnapshots whether snapshot files can be written
   */
  static About thisProcess(boolean hasSnapshots) {
    ProcessHandle.Info info = ProcessHandle.current().info();
    String options = "";
    for (String argument : info.arguments().orElse(new String[0])) {
      Matcher agent = AGENT.matcher(argument);
      if (agent.matches()) {
        options = withoutSecrets(agent.group(1));
      }
    }
    return new About(
        mainName(System.getProperty("sun.java.command", "")),
        ProcessHandle.current().pid(),
        hostName(),
        info.startInstant().map(Instant::toString).orElse(""),
        options,
        hasSnapshots);
  }

  static String withoutSecrets(String options) {
    return SECRET.matcher(options).replaceAll("$1…");
  }

  /** The simple name of the main class, or the name of the jar. */
  static String mainName(String command) {
    String main = command.split(" ", 2)[0];
    if (main.endsWith(".jar")) {
      return main.substring(main.lastIndexOf('/') + 1);
    }
    return main.substring(Math.max(main.lastIndexOf('.'), main.lastIndexOf('/')) + 1);
  }

  private static String hostName() {
    try {
      return Files.readString(HOST_NAME, StandardCharsets.UTF_8).trim();
    } catch (IOException | RuntimeException e) {
      String name = System.getenv("COMPUTERNAME");
      return name == null ? "" : name;
    }
  }

  void write(Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("name").value(name);
    json.name("pid").value(pid);
    json.name("host").value(host);
    json.name("startedAt").value(startedAt);
    json.name("java").value(System.getProperty("java.version", ""));
    json.name("options").value(options);
    json.name("snapshots").value(hasSnapshots).endObject();
  }
}
