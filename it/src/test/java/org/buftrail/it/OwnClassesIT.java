package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.PassThrough;
import org.buftrail.it.programs.Server;
import org.junit.jupiter.api.io.TempDir;

/** Without {@code include} the application's own classes are found, however it is started. */
final class OwnClassesIT {
  private static final String PASSED =
      "UnpooledByteBufAllocator.directBuffer > PassThrough.direct > PassThrough.direct_return"
          + " > PassThrough.main > PassThrough.first > PassThrough.second > PassThrough.third"
          + " > ByteBuf.release 100/0/0";
  private static final String[] PASS = {"unpooled", "direct", "100"};

  @TempDir private Path directory;

  private ForkedJvm tracked(Setting setting) {
    return new ForkedJvm(directory).on(setting).agent("report=flows.json,sample=1");
  }

  private void assertPassed(ForkedJvm.Result result, String packages) throws Exception {
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines())
        .contains(
            "buftrail: following Netty buffers, hops in the application's own classes ("
                + packages
                + ")");
    assertThat(FlowsFile.read(directory.resolve("flows.json")).summaries()).containsExactly(PASSED);
  }

  @EachSetting
  void inADirectory(Setting setting) throws Exception {
    assertPassed(tracked(setting).run(PassThrough.class, PASS), "org.buftrail.it");
  }

  @EachSetting(newestNetty = true, java = 17)
  void inTheJarOfTheMainClass(Setting setting) throws Exception {
    Path jar = directory.resolve("shop.jar");
    try (Jars jars = new Jars(jar)) {
      jars.classes(Setting.PROGRAMS, "", "org/buftrail/it/programs/");
    }
    List<Path> classPath = new ArrayList<>(setting.nettyJars());
    classPath.add(jar);
    assertPassed(
        tracked(setting).classPath(classPath).run(PassThrough.class, PASS),
        "org.buftrail.it.programs");
  }

  @EachSetting(newestNetty = true, java = 17)
  void inAJarWithEverythingElse(Setting setting) throws Exception {
    Path file = directory.resolve("fat.jar");
    try (Jars jars = new Jars(file, "Main-Class", PassThrough.class.getName())) {
      jars.classes(Setting.PROGRAMS, "", "org/buftrail/it/programs/");
      for (Path netty : setting.nettyJars()) {
        if (netty.getFileName().toString().matches("netty-(buffer|common)-.*")) {
          jars.unpacked(netty);
        }
      }
    }
    assertPassed(
        tracked(setting).runCommand("-jar", file.toString(), PASS), "org.buftrail.it.programs");
  }

  @EachSetting(newestNetty = true, java = 17)
  void inAJarWithNestedJars(Setting setting) throws Exception {
    Path file = directory.resolve("nested.jar");
    try (Jars jars =
        new Jars(
            file,
            "Main-Class",
            "org.springframework.boot.loader.launch.JarLauncher",
            "Start-Class",
            PassThrough.class.getName(),
            "Spring-Boot-Classes",
            "BOOT-INF/classes/",
            "Spring-Boot-Lib",
            "BOOT-INF/lib/")) {
      jars.unpacked(Setting.loading("spring-boot-loader.jar"))
          .directories("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")
          .classes(Setting.PROGRAMS, "BOOT-INF/classes/", "org/buftrail/it/programs/")
          .nested(setting.nettyJars(), "BOOT-INF/lib/");
    }
    assertPassed(
        tracked(setting).runCommand("-jar", file.toString(), PASS), "org.buftrail.it.programs");
  }

  @EachSetting(newestNetty = true, java = 17)
  void whereNoneTakesABufferTheReportSaysWhatToTry(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent("report=flows.txt,exclude=org.buftrail.it")
            .run(PassThrough.class, PASS);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(directory.resolve("flows.txt"))
        .content()
        .contains("No path leads into the application")
        .contains("include=com.example");
  }

  @EachSetting(newestNetty = true, java = 17)
  void thatAreLoadedAlreadyWhenTheAgentComes(Setting setting) throws Exception {
    List<String> line =
        List.of(
            "-Dio.netty.leakDetection.level=disabled",
            "-cp",
            setting.classPath(),
            Server.class.getName(),
            "running",
            "leaking",
            "stop");
    try (RunningProgram program = new RunningProgram(directory, setting.java(), line)) {
      program.await("running");
      ForkedJvm.Result attached = program.command("attach", "report=flows.json");
      assertThat(attached.exit()).as(attached.err()).isZero();
      assertThat(attached.err())
          .contains("hops in the application's own classes (org.buftrail.it.programs)");
      program.create("leaking");
      program.await("lost");
      program.delete("leaking");
      program.stop();
    }
    assertThat(FlowsFile.read(directory.resolve("flows.json")).paths())
        .filteredOn(path -> path.leaked() > 0)
        .singleElement()
        .satisfies(
            path ->
                assertThat(path.hops())
                    .endsWith("> Server.make > Server.make_return > Server.serve > Server.work"));
  }
}
