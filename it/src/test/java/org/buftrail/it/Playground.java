package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.buftrail.it.programs.Leaker;
import org.buftrail.it.programs.Operated;

/**
 * Directories in which a reader of the documents might be: with the jar, the launcher, a service,
 * snapshots and recordings under the names that the documents use. A service runs there under the
 * agent, and a receiver takes what is pushed to any address.
 */
final class Playground implements AutoCloseable {
  private static final Pattern PAGE = Pattern.compile("live page at http://127.0.0.1:(\\d+)/");
  private static final String TOKEN = "0123456789abcdef";
  private static final int TIMEOUT_SECONDS = 120;

  private final Path home;
  private final HttpServer receiver;
  private final RunningProgram followed;

  /** How a line ended and what it printed. */
  record Result(int exit, String output) {}

  Playground(Path home) throws IOException, InterruptedException {
    this.home = home;
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    receiver.start();
    FlowCases.flows(Setting.newest(), home, Leaker.class);
    Files.copy(Setting.JAR, home.resolve("buftrail.jar"));
    for (String name :
        List.of("buftrail-sql.jar", "duckdb_jdbc.jar", "jline-reader.jar", "jline-terminal.jar")) {
      link(home, Setting.JAR.resolveSibling("../../sql/target/jars").resolve(name), name);
    }
    Files.copy(
        Setting.JAR.resolveSibling("../../jfr/src/test/resources/recordings/jdk21.jfr.gz"),
        home.resolve("c.jfr.gz"));
    unpack(Setting.JAR.resolveSibling("../../jfr/src/test/resources/recordings/jdk25.jfr.gz"));
    serviceJar();
    followed = service("-javaagent:" + Setting.JAR + "=http=0;httpToken=" + TOKEN);
    Matcher page = PAGE.matcher(followed.err());
    for (int i = 0; i < 600 && !page.find(); i++) {
      Thread.sleep(100);
      page = PAGE.matcher(followed.err());
    }
    Files.writeString(
        home.resolve(".curlrc"),
        "fail\nconnect-to = \"127.0.0.1:9090:127.0.0.1:" + page.group(1) + "\"\n");
  }

  private void unpack(Path packed) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      Files.copy(in, home.resolve("recording.jfr"));
    }
  }

  /** A jar that leaks and ends. */
  private void serviceJar() throws IOException {
    StringBuilder classPath = new StringBuilder(Setting.PROGRAMS.toUri().toString());
    Setting.newest().nettyJars().forEach(jar -> classPath.append(' ').append(jar.toUri()));
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Leaker.class.getName());
    main.put(Attributes.Name.CLASS_PATH, classPath.toString());
    try (OutputStream out = Files.newOutputStream(home.resolve("service.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private RunningProgram service(String... options) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(options));
    line.addAll(List.of("-cp", Setting.newest().classPath(), Operated.class.getName()));
    Path own = Files.createTempDirectory(home, "service");
    RunningProgram program = new RunningProgram(own, Setting.newest().java(), line);
    program.await("ready");
    return program;
  }

  /** A JVM that runs without the agent. */
  RunningProgram plainService() throws IOException, InterruptedException {
    return service();
  }

  /** A new directory with all that documents name. */
  Path directory() throws IOException {
    Path made = Files.createTempDirectory(home, "document");
    Path launcher = made.resolve("buftrail");
    Files.writeString(launcher, "#!/bin/sh\nexec java -jar buftrail.jar \"$@\"\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String name : List.of("buftrail.jar", "service.jar", "recording.jfr", "c.jfr.gz")) {
      link(made, home.resolve(name), name);
    }
    for (String name :
        List.of(
            "flows.json",
            "before.json",
            "after.json",
            "before/flows.json",
            "after/flows.json",
            "main/flows.json",
            "change/flows.json",
            "snapshots/flows-20261121T133216.258Z-p6729-oom.json")) {
      link(made, home.resolve("flows.json"), name);
    }
    for (String name : List.of("a.jfr", "b.jfr.zst", "recordings/a.jfr")) {
      link(made, home.resolve("recording.jfr"), name);
    }
    return made;
  }

  private static void link(Path directory, Path target, String name) throws IOException {
    Path link = directory.resolve(name);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target.toAbsolutePath().normalize());
  }

  /** Runs a line as bash would, {@code PID} replaced by that of a service that is followed. */
  Result run(Path directory, String line) throws IOException, InterruptedException {
    return run(directory, line, followed);
  }

  /** Runs a line on another service. */
  Result run(Path directory, String line, RunningProgram service)
      throws IOException, InterruptedException {
    Path output = directory.resolve(".output");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", line.replaceAll("\\bPID\\b", service.pid()))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("BUFTRAIL_") || name.startsWith("OTEL_"));
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("JAVA_HOME", Setting.OWN_JAVA.toString());
    environment.merge("PATH", Setting.OWN_JAVA.resolve("bin").toString(), Playground::before);
    environment.put("CURL_HOME", home.toString());
    environment.put("TOKEN", TOKEN);
    String port = Integer.toString(receiver.getAddress().getPort());
    environment.put(
        "JDK_JAVA_OPTIONS",
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
            + " -Dhttp.proxyHost=127.0.0.1 -Dhttp.nonProxyHosts= -Dhttp.proxyPort="
            + port);
    Process process = builder.start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    assertThat(ended).as("still running: " + line + "\n" + said).isTrue();
    return new Result(process.exitValue(), said);
  }

  private static String before(String path, String first) {
    return first + File.pathSeparator + path;
  }

  @Override
  public void close() {
    followed.close();
    receiver.stop(0);
  }
}
