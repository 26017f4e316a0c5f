package org.buftrail.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.it.loading.Containers;
import org.buftrail.it.loading.ReleaseCounter;
import org.buftrail.it.programs.Mocked;
import org.buftrail.it.programs.PassThrough;
import org.buftrail.it.programs.Shaded;
import org.junit.jupiter.api.io.TempDir;

/** Where Netty and the application are loaded, and what else instruments them. */
final class LoadingIT {
  private static final String PASSED =
      "PooledByteBufAllocator.directBuffer > PassThrough.direct > PassThrough.direct_return >"
          + " PassThrough.main > PassThrough.first > PassThrough.second > PassThrough.third >"
          + " ByteBuf.release ";
  private static final String[] PASS = {"pooled", "direct", "100"};

  @TempDir private Path directory;

  @EachSetting
  void anApplicationInANestedJarLauncher(Setting setting) throws Exception {
    Path jar = directory.resolve("application.jar");
    boolean recent = setting.javaVersion() >= 17;
    try (Jars jars =
        new Jars(
            jar,
            "Main-Class",
            "org.springframework.boot.loader." + (recent ? "launch." : "") + "JarLauncher",
            "Start-Class",
            PassThrough.class.getName(),
            "Spring-Boot-Classes",
            "BOOT-INF/classes/",
            "Spring-Boot-Lib",
            "BOOT-INF/lib/")) {
      jars.unpacked(
              Setting.loading(recent ? "spring-boot-loader.jar" : "spring-boot-loader-java11.jar"))
          .directories("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")
          .classes(Setting.PROGRAMS, "BOOT-INF/classes/", "org/buftrail/it/programs/")
          .nested(setting.nettyJars(), "BOOT-INF/lib/");
    }
    assertPassed(tracked().on(setting).runCommand("-jar", jar.toString(), PASS), 100);
  }

  @EachSetting
  void nettyInAParentOfTheApplicationsLoader(Setting setting) throws Exception {
    String classPath = join(setting.nettyJars()) + "!" + Setting.PROGRAMS + "/";
    assertPassed(contain(setting, classPath), 100);
  }

  @EachSetting
  void twoApplicationsEachWithANettyOfItsOwn(Setting setting) throws Exception {
    Setting newest = Setting.newest();
    String first = join(setting.nettyJars()) + File.pathSeparator + Setting.PROGRAMS + "/";
    String second = join(newest.nettyJars()) + File.pathSeparator + Setting.PROGRAMS + "/";
    assertPassed(contain(setting, first, second), 200);
  }

  @EachSetting
  void nettyAndTheApplicationAsModules(Setting setting) throws Exception {
    Path jar = directory.resolve("application.jar");
    try (Jars jars = new Jars(jar, "Automatic-Module-Name", "buftrail.programs")) {
      jars.classes(Setting.PROGRAMS, "", PassThrough.class.getName().replace('.', '/'))
          .classes(Setting.PROGRAMS, "", "org/buftrail/it/programs/Allocators");
    }
    List<Path> modules =
        setting.nettyJars().stream()
            .filter(path -> path.toString().matches(".*netty-(common|buffer)-.*"))
            .toList();
    assertPassed(
        tracked()
            .on(setting)
            .option("--add-modules=ALL-MODULE-PATH")
            .option("--module-path=" + join(modules) + File.pathSeparator + jar)
            .runCommand("-m", "buftrail.programs/" + PassThrough.class.getName(), PASS),
        100);
  }

  @EachSetting(newestNetty = true)
  void nettyUnderAnotherName(Setting setting) throws Exception {
    ForkedJvm.Result result =
        tracked()
            .on(setting)
            // Whose wrappers, one in 128 by chance, are collected before the buffers are.
            .option("-Dio.grpc.netty.shaded.io.netty.leakDetection.level=disabled")
            .classPath(List.of(Setting.PROGRAMS, Setting.loading("grpc-netty-shaded.jar")))
            .run(Shaded.class);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            "PooledByteBufAllocator.directBuffer > Shaded.main > Shaded.pass > Shaded.pass"
                + " > ByteBuf.release 1/0/0",
            "PooledByteBufAllocator.heapBuffer > Shaded.main > Shaded.hold"
                + " > ByteBuf.release 1/0/0",
            "PooledByteBufAllocator.compositeDirectBuffer > Shaded.lose 0/1+1/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting(newestNetty = true)
  void mocksMadeInlineBesideRealBuffers(Setting setting) throws Exception {
    ForkedJvm.Result result =
        tracked()
            .on(setting)
            .classPath(
                Stream.concat(
                        Stream.of(Setting.PROGRAMS),
                        Stream.concat(
                            setting.nettyJars().stream(),
                            Stream.of(
                                Setting.loading("mockito-core.jar"),
                                Setting.loading("byte-buddy.jar"),
                                Setting.loading("byte-buddy-agent.jar"),
                                Setting.loading("objenesis.jar"))))
                    .toList())
            .run(Mocked.class);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries())
        .containsExactly(
            "PooledByteBufAllocator.directBuffer > Mocked.handle > Mocked$Service.take"
                + " > Mocked$Service.end > ByteBuf.release 3/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting(newestNetty = true)
  void anotherByteBuddyAgentBeforeOurs(Setting setting) throws Exception {
    String other = "-javaagent:" + releaseCounter();
    ForkedJvm jvm = new ForkedJvm(directory).option(other).agent(OPTIONS);
    assertCounted(setting, jvm);
  }

  @EachSetting(newestNetty = true)
  void anotherByteBuddyAgentAfterOurs(Setting setting) throws Exception {
    assertCounted(setting, tracked().option("-javaagent:" + releaseCounter()));
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void theOpenTelemetryAgentBeforeOurs(Setting setting) throws Exception {
    ForkedJvm jvm = openTelemetry(new ForkedJvm(directory)).agent(OPTIONS);
    assertPassed(jvm.on(setting).run(PassThrough.class, PASS), 100);
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void theOpenTelemetryAgentAfterOurs(Setting setting) throws Exception {
    assertPassed(openTelemetry(tracked()).on(setting).run(PassThrough.class, PASS), 100);
  }

  private static final String OPTIONS = FlowCases.INCLUDE + ";report=flows.json";

  private ForkedJvm tracked() {
    return new ForkedJvm(directory).agent(OPTIONS);
  }

  private static ForkedJvm openTelemetry(ForkedJvm jvm) {
    return jvm.option("-javaagent:" + Setting.loading("opentelemetry-javaagent.jar"))
        .option("-Dotel.traces.exporter=none")
        .option("-Dotel.metrics.exporter=none")
        .option("-Dotel.logs.exporter=none");
  }

  private Path releaseCounter() throws IOException {
    Path jar = directory.resolve("counter.jar");
    try (Jars jars =
        new Jars(
            jar,
            "Premain-Class",
            ReleaseCounter.class.getName(),
            "Can-Retransform-Classes",
            "true")) {
      jars.classes(Setting.PROGRAMS, "", ReleaseCounter.class.getName().replace('.', '/'));
    }
    return jar;
  }

  private void assertCounted(Setting setting, ForkedJvm jvm) throws Exception {
    List<Path> classPath =
        Stream.concat(
                Stream.of(Setting.PROGRAMS, Setting.loading("byte-buddy.jar")),
                setting.nettyJars().stream())
            .toList();
    ForkedJvm.Result result = jvm.on(setting).classPath(classPath).run(PassThrough.class, PASS);
    assertThat(result.out()).as("what the other agent saw").isEqualTo("100 releases, 100");
    assertPassed(result, 100);
  }

  private ForkedJvm.Result contain(Setting setting, String... classPaths) throws Exception {
    List<String> arguments =
        Stream.concat(
                Stream.of(PassThrough.class.getName(), String.join(",", PASS)),
                Stream.of(classPaths))
            .toList();
    return tracked()
        .on(setting)
        .classPath(List.of(Setting.PROGRAMS))
        .run(Containers.class, arguments.toArray(new String[0]));
  }

  private void assertPassed(ForkedJvm.Result result, int times) throws IOException {
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries()).as(result.err()).containsExactly(PASSED + times + "/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  private static String join(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(joining(File.pathSeparator));
  }
}
