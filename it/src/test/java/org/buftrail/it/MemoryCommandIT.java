package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.it.programs.MemoryOwners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code memory} names the owner of most memory, as the program itself or the JVM counts it. */
final class MemoryCommandIT {
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "heap, 256, Java heap, -XX:+UseG1GC -Xmx768m",
    "direct, 256, other direct buffers, -Xmx512m",
    "mapped, 256, mapped files, -Xmx512m",
    "classes, 15000, metaspace, -Xmx512m",
    "code, 6000, compiled code, -Xcomp -XX:TieredStopAtLevel=1"
        + " -XX:CompileCommand=compileonly\\,*Filler*.*",
  })
  void thePlantedOwnerIsNamed(String owner, String amount, String row, String options)
      throws Exception {
    try (RunningProgram program = start(owner, amount, options.replace("\\,", ","))) {
      // What the command makes the JVM load is there from now on.
      memory(program);
      program.delete("ready");
      program.await("ready");
      long planted = Long.parseLong(program.read("ready"));
      assertNear(bytes(memory(program), row), planted);
    }
  }

  @Test
  void chunksOfNettyAreARowWithTheAgent() throws Exception {
    String agent = "-javaagent:" + Setting.JAR + "=include=org.buftrail.it";
    try (RunningProgram program = start("netty", "256", agent)) {
      String text = memory(program);
      long planted = Long.parseLong(program.read("ready"));
      assertNear(bytes(text, "chunks of Netty's allocators"), planted);
      assertThat(text).contains("held by live buffers 256.0 MiB, idle 0 B, not located 0 B");
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void theLivePageDividesTheProcessAsTheCommandDoes(Setting setting) throws Exception {
    String agent =
        "-javaagent:" + Setting.JAR + "=include=org.buftrail.it;http=0;httpToken=off -Xmx256m";
    try (RunningProgram program = start(setting, "netty", "64", agent)) {
      String page = page(program);
      JsonNode asked = ask(page, "api/process").path("resident");
      JsonNode json =
          new ObjectMapper().readTree(program.command("memory", "--format", "json").out());
      assertThat(names(asked)).isNotEmpty().isEqualTo(names(json));
      assertThat(asked.path("limits")).isEqualTo(json.path("limits"));
      for (JsonNode owner : asked.path("owners")) {
        if (owner.path("owner").asText().equals("chunks of Netty's allocators")) {
          assertNear(owner.path("residentBytes").asLong(), 64 << 20);
        }
      }
    }
  }

  private static List<String> names(JsonNode resident) {
    List<String> names = new ArrayList<>();
    resident.path("owners").forEach(owner -> names.add(owner.path("owner").asText()));
    return names;
  }

  private static String page(RunningProgram program) throws Exception {
    Pattern address = Pattern.compile("live page at (http://127\\.0\\.0\\.1:\\d+/)");
    Matcher page = address.matcher(program.err());
    while (!page.find()) {
      Thread.sleep(50);
      page = address.matcher(program.err());
    }
    return page.group(1);
  }

  private static JsonNode ask(String page, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(page + path)).build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void nothingListensInTheApplicationAfterwards() throws Exception {
    try (RunningProgram program = start("heap", "16", "-Xmx64m")) {
      memory(program);
      assertThat(Listeners.of(Long.parseLong(program.pid()))).isEmpty();
    }
  }

  @Test
  void aDumpHasTheWholeProcessIfItIsAskedTo() throws Exception {
    String agent = "-javaagent:" + Setting.JAR + "=include=org.buftrail.it";
    try (RunningProgram program = start("netty", "64", agent)) {
      ForkedJvm.Result text = program.command("dump", "--memory");
      assertThat(text.exit()).as(text.err()).isZero();
      assertThat(text.out())
          .contains("THE WHOLE PROCESS has ")
          .contains("limit: Java heap at most ");
      assertNear(bytes(text.out(), "chunks of Netty's allocators"), 64 << 20);
      long before = resident(program.pid());
      ForkedJvm.Result json = program.command("dump", "--memory", "--format", "json");
      JsonNode owners = new ObjectMapper().readTree(json.out()).path("resident").path("owners");
      long sum = 0;
      for (JsonNode owner : owners) {
        sum += owner.path("residentBytes").asLong();
      }
      assertAddsUp(sum, before, resident(program.pid()));
      ForkedJvm.Result page = program.command("dump", "--memory", "--format", "html");
      assertThat(page.out()).contains("\"owner\":\"chunks of Netty's allocators\"");
      assertThat(program.command("dump").out()).doesNotContain("WHOLE PROCESS");
    }
  }

  @Test
  void jsonSumsUpToTheResidentSet() throws Exception {
    try (RunningProgram program = start("mapped", "16", "-Xmx64m")) {
      ForkedJvm.Result result =
          new ForkedJvm(directory).runJar("memory", "--format", "json", program.pid());
      assertThat(result.exit()).as(result.err()).isZero();
      JsonNode json = new ObjectMapper().readTree(result.out());
      long sum = 0;
      for (JsonNode owner : json.get("owners")) {
        sum += owner.get("residentBytes").asLong();
      }
      assertThat(sum).isPositive().isEqualTo(json.get("residentBytes").asLong());
      assertThat(json.get("pid").asText()).isEqualTo(program.pid());
      assertThat(json.get("limits")).isNotEmpty();
    }
  }

  @Test
  void stacksOfThreadsAreFound() throws Exception {
    try (RunningProgram program =
        start("threads", "500", "-Xint -XX:NativeMemoryTracking=summary")) {
      String text = memory(program);
      assertNear(bytes(text, "stacks of threads"), trackedStacks(program));
      Matcher found = Pattern.compile("(\\d+) stacks found").matcher(text);
      assertThat(found.find()).isTrue();
      assertThat(Integer.parseInt(found.group(1))).isBetween(500, 600);
      assertThat(bytes(text, "the JVM's own (NMT)")).isPositive();
    }
  }

  /** What the JVM itself counts, by asking the kernel which pages are there. */
  private long trackedStacks(RunningProgram program) throws Exception {
    Path out = directory.resolve("tracked.txt");
    Path jcmd = Setting.OWN_JAVA.resolve("bin/jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), program.pid(), "VM.native_memory", "summary")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(asked.waitFor()).isZero();
    Matcher stacks =
        Pattern.compile("\\(stack: reserved=\\d+KB, committed=(\\d+)KB")
            .matcher(Files.readString(out));
    assertThat(stacks.find()).isTrue();
    return Long.parseLong(stacks.group(1)) << 10;
  }

  private RunningProgram start(String owner, String amount, String options)
      throws IOException, InterruptedException {
    return start(Setting.newest(), owner, amount, options);
  }

  private RunningProgram start(Setting setting, String owner, String amount, String options)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(options.split(" ", -1)));
    line.addAll(List.of("-cp", setting.classPath(), MemoryOwners.class.getName()));
    line.addAll(List.of(owner, amount));
    RunningProgram program = new RunningProgram(directory, setting.java(), line);
    program.await("ready");
    return program;
  }

  /** The table, after it was looked at whether it adds up to the resident set. */
  private static String memory(RunningProgram program) throws Exception {
    long before = resident(program.pid());
    ForkedJvm.Result result = program.command("memory");
    assertThat(result.exit()).as(result.err()).isZero();
    String text = result.out();
    long sum = 0;
    for (String row : text.lines().skip(3).takeWhile(line -> !line.isBlank()).toList()) {
      sum += bytes(row, "");
    }
    assertAddsUp(sum, before, resident(program.pid()));
    return text;
  }

  /** The JVM may take memory and give some back meanwhile. */
  private static void assertAddsUp(long sum, long before, long after) {
    assertThat((double) sum)
        .isBetween(Math.min(before, after) * 0.95, Math.max(before, after) * 1.05);
  }

  private static long resident(String pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", pid, "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("no resident set of " + pid);
  }

  private static void assertNear(long actual, long expected) {
    assertNear(actual, expected, 0.1);
  }

  private static void assertNear(long actual, long expected, double share) {
    assertThat((double) actual).isBetween(expected * (1 - share), expected * (1 + share));
  }

  private static long bytes(String text, String row) {
    Matcher found =
        Pattern.compile("(?m)^" + Pattern.quote(row) + ".*? +([0-9.]+) ([KMG]?i?B) +[0-9.]+ %")
            .matcher(text);
    assertThat(found.find()).as(row + " in " + text).isTrue();
    int unit = UNITS.indexOf(found.group(2));
    return (long) (Double.parseDouble(found.group(1)) * (1L << (10 * unit)));
  }
}
