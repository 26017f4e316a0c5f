package org.buftrail.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.it.loading.LoadingNetty;
import org.buftrail.it.loading.Redeployed;
import org.buftrail.it.programs.Busy;
import org.buftrail.it.programs.Cycled;
import org.buftrail.it.programs.ManyClasses;
import org.buftrail.it.programs.Named;
import org.buftrail.it.programs.Switched;
import org.buftrail.it.programs.Unlinkable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;

/** {@code attach} and {@code detach} change all or nothing, and leave the application alone. */
@Order(1) // takes the longest of all
final class AttachmentIT {
  private static final String INCLUDE = FlowCases.INCLUDE;
  private static final int MANY = 1_500;
  private static final long MOMENT_NANOS = 100_000_000;
  private static final Pattern STOPPED =
      Pattern.compile("Safepoint \"RedefineClasses\".*Total: +(\\d+) ns");

  @TempDir private Path directory;

  @EachSetting(newestNetty = true)
  void aClassThatCannotBeRedefinedCostsNobodyElseAnything(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, List.of(), Unlinkable.class)) {
      program.await("ready");
      for (int i = 0; i < 2; i++) {
        ForkedJvm.Result attached = done(program.command("attach", INCLUDE));
        assertThat(attached.err()).contains("1 class stays as it was");
        assertThat(program.err()).contains("a class stays as it is: " + failed());
        assertThat(program.command("attach", INCLUDE).err()).contains("tracking is on already");
        assertThat(program.dump().paths())
            .anySatisfy(path -> assertThat(path.hops()).contains("Unlinkable.use"));
        done(program.command("detach"));
      }
      assertThat(program.command("detach").err()).contains("nothing to detach");
      program.stop();
    }
  }

  private static String failed() {
    return Unlinkable.class.getName() + "$Failed (java.lang.InternalError";
  }

  @EachSetting(newestNetty = true, ownJvm = true)
  void manyClassesStopTheApplicationForAMomentOnly(Setting setting) throws Exception {
    List<String> log = List.of("-Xlog:safepoint:file=safepoints.log");
    try (RunningProgram program = start(setting, log, ManyClasses.class, "" + MANY)) {
      program.await("ready");
      List<Long> worst = new ArrayList<>();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 12 && least >= MOMENT_NANOS; i++) {
        int before = stops().size();
        ForkedJvm.Result attached = done(program.command("attach", INCLUDE));
        Matcher woven = Pattern.compile("wove (\\d+) classes").matcher(attached.err());
        assertThat(woven.find()).isTrue();
        assertThat(Integer.parseInt(woven.group(1))).isBetween(MANY, MANY + 50);
        done(program.command("detach"));
        List<Long> stops = stops().subList(before, stops().size());
        assertThat(stops).as("two for each 100 classes, and few more").hasSizeLessThan(40);
        worst.add(Collections.max(stops));
        least = Collections.min(worst);
      }
      assertThat(least)
          .as("nanoseconds; others may keep the processors busy: " + worst)
          .isLessThan(MOMENT_NANOS);
      program.stop();
    }
  }

  /**
   * Interpreted, since HotSpot keeps what compiled code of replaced classes refers to: it does so
   * for each retransformation of classes, also when nothing is changed in them.
   */
  @EachSetting(newestNetty = true, ownJvm = true)
  void nothingGrowsWithTheNumberOfAttachments(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, List.of("-Xint"), Cycled.class)) {
      program.await("ready");
      List<Properties> figures = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        cycle(program, 10);
        // Collects: what a class was before is given back only then.
        figures.add(measure(program));
      }
      Properties first = figures.get(1);
      Properties last = figures.get(5);
      String all = figures.toString();
      assertThat(figure(last, "threads")).as(all).isEqualTo(figure(first, "threads"));
      assertThat(figure(last, "loaders")).as(all).isLessThanOrEqualTo(figure(first, "loaders"));
      assertThat(figure(last, "metaspace"))
          .as(all)
          .isLessThan(figure(first, "metaspace") + (192 << 10));
      program.stop();
    }
  }

  private static void cycle(RunningProgram program, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      program.load(INCLUDE);
      program.load("detach");
    }
  }

  private static long figure(Properties figures, String name) {
    return Long.parseLong(figures.getProperty(name));
  }

  private static Properties measure(RunningProgram program) throws Exception {
    program.create("measure");
    program.await("figures");
    Properties figures = new Properties();
    figures.load(new StringReader(program.read("figures")));
    program.delete("figures");
    return figures;
  }

  private List<Long> stops() throws IOException {
    Path log = directory.resolve("program").resolve("safepoints.log");
    return Files.readAllLines(log).stream()
        .map(STOPPED::matcher)
        .filter(Matcher::find)
        .map(found -> Long.valueOf(found.group(1)))
        .toList();
  }

  @EachSetting(newestNetty = true)
  void anApplicationUnloadsWhileTheAgentIsThere(Setting setting) throws Exception {
    assertUnloads(setting, false);
  }

  @EachSetting(newestNetty = true)
  void anApplicationUnloadsAfterADetach(Setting setting) throws Exception {
    assertUnloads(setting, true);
  }

  private void assertUnloads(Setting setting, boolean detached) throws Exception {
    try (RunningProgram program =
        start(setting, List.of("-Xmx64m"), Redeployed.class, netty(setting))) {
      program.await("ready");
      done(program.command("attach"));
      assertThat(program.dump().total("allocated")).isPositive();
      if (detached) {
        done(program.command("detach"));
      }
      program.create("undeploy");
      program.await("unloaded");
      assertThat(program.read("unloaded")).isEqualTo("true");
      program.stop();
    }
  }

  @EachSetting(newestNetty = true)
  void anApplicationThatLoadsNettyMeanwhileGoesOn(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, List.of(), LoadingNetty.class, netty(setting))) {
      program.await("ready");
      done(program.command("attach"));
      done(program.command("detach"));
      done(program.command("attach", "include=io.netty.util"));
      program.stop();
      assertThat(program.read("failures")).isEqualTo("{}");
    }
  }

  @EachSetting(newestNetty = true)
  void parametersKeepTheirNames(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, List.of(), Named.class)) {
      program.await("ready");
      String names = "[body, customer, final path, greeting, weight]";
      assertThat(ask(program)).isEqualTo(names);
      for (int i = 0; i < 2; i++) {
        done(program.command("attach", INCLUDE, "trackConstructors=" + Named.class.getName()));
        assertThat(ask(program)).isEqualTo(names);
        assertThat(program.dump().paths())
            .anySatisfy(path -> assertThat(path.hops()).contains("Named$Endpoint.order"));
        done(program.command("detach"));
        assertThat(ask(program)).isEqualTo(names);
      }
      program.stop();
    }
  }

  private static String ask(RunningProgram program) throws Exception {
    program.create("ask");
    program.await("names");
    String names = program.read("names");
    program.delete("names");
    return names;
  }

  @EachSetting(newestNetty = true)
  void whatWasUnderWayAtTheAttachIsNobodysLeak(Setting setting) throws Exception {
    try (RunningProgram program =
        start(setting, List.of("-Dio.netty.leakDetection.level=disabled"), Busy.class)) {
      program.await("ready");
      program.write("lose", "30");
      program.await("lost");
      program.delete("lost");
      for (int i = 0; i < 3; i++) {
        done(program.command("attach", INCLUDE, "report=flows.json"));
        program.write("lose", "20");
        program.await("lost");
        program.delete("lost");
        if (i < 2) {
          // Those lost are forgotten with all that was under way.
          done(program.command("detach"));
        }
      }
      program.stop();
      FlowsFile flows = FlowsFile.read(directory.resolve("program").resolve("flows.json"));
      assertThat(flows.paths().stream().filter(path -> path.leaked() > 0))
          .allSatisfy(
              path ->
                  assertThat(path.hops())
                      .isEqualTo("PooledByteBufAllocator.directBuffer > Busy.lose"));
      // For an earlier attachment those are reported that were collected before its end.
      assertThat(flows.total("leaked")).isBetween(20L, 60L);
      assertThat(flows.total("live")).isZero();
      assertThat(flows.isBalanced()).isTrue();
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void whatWasCountedKeepsItsNumberUnderAnotherSampling(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, List.of(), Switched.class)) {
      program.await("ready");
      done(program.command("attach"));
      awaitAllocated(program, 50);
      done(program.command("detach"));
      FlowsFile all = program.dump();
      assertThat(all.total("allocated")).isPositive();
      done(program.command("attach", "sample=100"));
      done(program.command("detach"));
      FlowsFile sampled = program.dump();
      long more = sampled.total("allocated") - all.total("allocated");
      assertThat(more).as("not multiplied").isBetween(0L, 100_000L).isEqualTo(more / 100 * 100);
      assertThat(sampled.total("released") - all.total("released")).isEqualTo(more);
      assertThat(sampled.isBalanced()).isTrue();
      ForkedJvm.Result ignoring = done(program.command("attach", "http=0", "every=1s"));
      assertThat(ignoring.err())
          .contains("ignored, since the services run as the first start had them: every, http;");
      assertThat(program.dump().total("allocated"))
          .isGreaterThanOrEqualTo(sampled.total("allocated"))
          .isLessThan(sampled.total("allocated") + 100_000);
      program.stop();
    }
  }

  private static void awaitAllocated(RunningProgram program, long least) throws Exception {
    for (int i = 0; program.dump().total("allocated") < least; i++) {
      assertThat(i).as("dumps").isLessThan(30);
    }
  }

  private static ForkedJvm.Result done(ForkedJvm.Result result) {
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  private static String netty(Setting setting) {
    return setting.nettyJars().stream().map(Path::toString).collect(joining(File.pathSeparator));
  }

  private RunningProgram start(
      Setting setting, List<String> jvmOptions, Class<?> program, String... arguments)
      throws IOException {
    List<String> line = new ArrayList<>(jvmOptions);
    line.addAll(List.of("-cp", setting.classPath(), program.getName()));
    line.addAll(List.of(arguments));
    return new RunningProgram(
        Files.createDirectory(directory.resolve("program")), setting.java(), line);
  }
}
