package org.buftrail.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.buftrail.jfr.Recording;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The packaged library, on the module path of programs that use it. */
final class LibraryIT {
  private static final Path JAR = Path.of(System.getProperty("buftrail.convert.jar"));
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));
  private static final Path SOURCES = Path.of("src/test/consumer");

  @TempDir private static Path classes;

  @TempDir private Path directory;

  @BeforeAll
  static void compileTheConsumer() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("--release", "17", "-Xlint:all", "-Werror", "-d", classes.toString()));
    arguments.addAll(List.of("--module-path", JAR.toString()));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
    }
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(new String[0]));
    assertThat(exit).isZero();
  }

  /** The JVM of the tests, and of those that were named each that runs the converter. */
  static List<Path> jvms() throws IOException {
    List<Path> homes = new ArrayList<>(List.of(OWN_JAVA));
    for (String home : System.getProperty("buftrail.it.jvms", "").split(",", -1)) {
      if (!home.isBlank() && javaVersion(Path.of(home)) >= 17) {
        homes.add(Path.of(home));
      }
    }
    return homes;
  }

  private static int javaVersion(Path home) throws IOException {
    return Files.readAllLines(home.resolve("release")).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.substring(line.indexOf('"') + 1, line.lastIndexOf('"')))
        .mapToInt(version -> Runtime.Version.parse(version).feature())
        .findFirst()
        .orElseThrow();
  }

  private String run(Path home, List<String> options, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
    command.addAll(options);
    command.addAll(List.of("--module-path", JAR + File.pathSeparator + classes, "-m"));
    command.addAll(arguments);
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(Files.readString(err)).isEmpty();
    assertThat(ended).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out);
  }

  private static String recording(String name) {
    return RECORDINGS.resolve(name + ".jfr.gz").toString();
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void theExampleConvertsWithoutAWarning(Path home) throws Exception {
    Path target = directory.resolve("app.otlp");
    run(home, List.of(), List.of("consumer/consumer.Example", recording("jdk25"), "" + target));
    Path expected = directory.resolve("expected.otlp");
    try (var out = Files.newOutputStream(expected)) {
      new OtlpWriter().write(Recording.of(Path.of(recording("jdk25"))).profiles(), out);
    }
    assertThat(target).hasSameBinaryContentAs(expected);
    assertThat(Conformance.check(Files.newInputStream(target)).violations()).isEmpty();
  }

  /** Every line of the page's examples is compiled here, and run by a test. */
  @Test
  void theExamplesAreThoseOfThePage() throws IOException {
    String page = Files.readString(Path.of("../docs/converting.md"));
    String library = page.substring(page.indexOf("## From a program"));
    Matcher blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(library);
    String sources =
        Files.readString(SOURCES.resolve("consumer/Example.java"))
            + Files.readString(SOURCES.resolve("consumer/Uses.java"));
    int count = 0;
    for (; blocks.find(); count++) {
      assertThat(sources).contains(blocks.group(1));
    }
    assertThat(count).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void theExamplesPrintWhatTheySay(Path home) throws Exception {
    Path file = Path.of(recording("jdk25"));
    Profiles profiles = Recording.of(file).profiles();
    Path converted = directory.resolve("app.otlp");
    try (var out = Files.newOutputStream(converted)) {
      new OtlpWriter().write(profiles, out);
    }
    List<String> expected = new ArrayList<>();
    for (int source = 0; source < 5; source++) {
      expected.add(String.valueOf(profiles.profiles().get(0).total()));
    }
    assertThat(profiles.hottest("cpu", 10)).hasSize(10);
    profiles.hottest("cpu", 10).forEach(m -> expected.add(m.self() + " " + m.name()));
    assertThat(profiles.samples("cpu")).hasSizeGreaterThan(5);
    profiles.samples("cpu").forEach(s -> expected.add(s.value() + " " + s.frames()));
    List<String> pushed = new ArrayList<>();
    HttpServer receiver = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    receiver.createContext("/", exchange -> answer(exchange, pushed));
    receiver.start();
    String endpoint = "http://localhost:" + receiver.getAddress().getPort();
    List<String> lines;
    try {
      List<String> arguments =
          List.of("consumer/consumer.Uses", "" + file, "" + converted, endpoint);
      lines = run(home, List.of(), arguments).lines().toList();
    } finally {
      receiver.stop(0);
    }
    assertThat(lines).startsWith(expected.toArray(new String[0]));
    assertThat(lines.subList(expected.size(), lines.size()))
        .containsExactly("samples 0.0 %", "cpu 0.0 %", "1 requests");
    assertThat(pushed).containsExactly("/v1development/profiles");
  }

  private static void answer(HttpExchange exchange, List<String> paths) throws IOException {
    exchange.getRequestBody().readAllBytes();
    paths.add(exchange.getRequestURI().getPath());
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  /** Neither a common pool without a free thread nor workers that carry interrupts matter. */
  @ParameterizedTest
  @MethodSource("jvms")
  void serversMayBeBusy(Path home) throws Exception {
    String file = recording("async-profiler");
    List<String> options = List.of("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2");
    List<String> lines =
        run(home, options, List.of("consumer/consumer.BusyServer", file)).lines().toList();
    assertThat(lines).hasSize(21).containsOnly(lines.get(0));
    assertThat(lines.get(0)).endsWith(" []");
  }

  /** Whatever the heap, the processors and the workers. */
  @Test
  void theSameBytesComeOut() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("consumer/consumer.Digests", "1"));
    // Those of the tests; more may not fit the small heap.
    arguments.add(String.valueOf(recordings(RECORDINGS.toString()).size()));
    arguments.addAll(recordings());
    String expected = run(OWN_JAVA, List.of("-Xmx64m", "-XX:ActiveProcessorCount=1"), arguments);
    assertThat(expected.lines()).hasSize(recordings().size() + 1);
    for (String workers : List.of("2", "8")) {
      arguments.set(1, workers);
      List<String> options = List.of("-Xmx2g", "-XX:ActiveProcessorCount=" + workers);
      assertThat(run(OWN_JAVA, options, arguments)).as(workers).isEqualTo(expected);
    }
  }

  /** Those of the tests, and of {@code -Drecordings=FOLDER} if it is given. */
  private static List<String> recordings() throws IOException {
    List<String> found = new ArrayList<>();
    for (String folder : List.of(RECORDINGS.toString(), System.getProperty("recordings", ""))) {
      if (!folder.isEmpty()) {
        found.addAll(recordings(folder));
      }
    }
    return found;
  }

  private static List<String> recordings(String folder) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.map(Path::toString).filter(n -> n.matches(".*\\.jfr(\\.gz)?")).sorted().toList();
    }
  }

  @Test
  void theModuleExportsWhatAProgramNeeds() throws Exception {
    ModuleDescriptor module =
        ModuleFinder.of(JAR).find("org.buftrail.convert").orElseThrow().descriptor();
    assertThat(module.isAutomatic()).isFalse();
    assertThat(
            module.requires().stream()
                .filter(needed -> !needed.modifiers().contains(Requires.Modifier.STATIC))
                .map(Requires::name))
        .containsExactly("java.base");
    assertThat(module.opens()).isEmpty();
    Exported exported = Exported.of(JAR, module);
    assertThat(exported.topLevel())
        .containsExactlyInAnyOrder(
            "jfr.Conversion",
            "jfr.Converter",
            "jfr.Damage",
            "jfr.Options",
            "jfr.Recording",
            "jfr.RecordingException",
            "jfr.RowCursor",
            "jfr.RowRange",
            "jfr.RowReader",
            "jfr.RowSelection",
            "jfr.Stats",
            "jfr.rows.SampleBatch",
            "jfr.rows.SampleBatchTaker",
            "jfr.rows.SampleColumn",
            "jfr.rows.SampleType",
            "jfr.rows.StackFrame",
            "profile.Attributes",
            "profile.Frame",
            "profile.Kind",
            "profile.MethodCost",
            "profile.Observations",
            "profile.Payload",
            "profile.Profile",
            "profile.Profiles",
            "profile.Samples",
            "profile.StackSample",
            "profile.ValueType",
            "profile.dictionary.AttributeSetTable",
            "profile.dictionary.AttributeTable",
            "profile.dictionary.Dictionary",
            "profile.dictionary.FrameNames",
            "profile.dictionary.FunctionTable",
            "profile.dictionary.KeyTable",
            "profile.dictionary.LinkTable",
            "profile.dictionary.LocationTable",
            "profile.dictionary.MappingTable",
            "profile.dictionary.StackTable",
            "profile.dictionary.StringTable",
            "profile.dictionary.Utf8",
            "profile.diff.Change",
            "profile.diff.DiffJson",
            "profile.diff.Measure",
            "profile.diff.ProfileDiff",
            "profile.diff.Side",
            "profile.input.InputStart",
            "profile.input.ProfileForm",
            "profile.input.ProfileReaders",
            "profile.input.ProfileSource",
            "profile.input.ReadProfiles",
            "profile.otlp.Violation",
            "profile.otlp.Violations",
            "profile.otlp.check.Conformance",
            "profile.output.ProfileFormat",
            "profile.output.ProfileWriter",
            "profile.output.ProfileWriters",
            "profile.push.Backoff",
            "profile.push.Delivery",
            "profile.push.OtelVariables",
            "profile.push.PushTarget",
            "profile.push.RefusedException",
            "profile.push.Sender",
            "profile.trie.AttributeByKey",
            "profile.trie.FrameTrie");
    assertThat(exported.hiddenInSignatures()).isEmpty();
  }

  @Test
  void theJarHoldsNothingElse() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName))
          .allMatch(
              name ->
                  name.equals("module-info.class")
                      || name.matches("META-INF/(MANIFEST\\.MF|LICENSE|maven/.*)")
                      || name.matches("org/buftrail/(jfr|profile)/[A-Za-z$0-9/_.-]+"))
          .contains("META-INF/LICENSE");
    }
  }
}
