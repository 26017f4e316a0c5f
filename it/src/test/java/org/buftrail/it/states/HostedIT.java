package org.buftrail.it.states;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two applications with a Netty each, in a JVM that an agent is attached to, and taken out of. */
final class HostedIT {
  private static final String DETACHED = "stopped: the agent was detached";
  private static final String OPTIONS =
      "include=org.buftrail.it.states"
          + ";resource=org.buftrail.it.states.Lease:open=new,close=close"
          + ";report=flows.txt,flows.json,flows.html";

  private static final List<State> ATTACHED =
      List.of(
          State.of(
              "Attached to two applications, each with a Netty of its own",
              "allocated",
              "released",
              "leaked",
              "leakedBytes",
              "live",
              "finish.released",
              "lose.leaked",
              "cache.live",
              "direct.leaked",
              "heap.live",
              "resource.released",
              "resource.live"));

  private static final List<State> TAKEN_OUT =
      List.of(State.of("Detached", "stopped", DETACHED, "allocated", "released", "leaked"));

  private static final List<State> AGAIN =
      List.of(
          State.of(
              "Attached again",
              "allocated",
              "released",
              "leaked",
              "live",
              "finish.released",
              "lose.leaked",
              "cache.live",
              "resource.released",
              "resource.live"));

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void twoApplicationsWhereTheAgentComesAndGoes(Setting setting) throws Exception {
    Cells attached = new Cells("attached", ATTACHED);
    Cells detached = new Cells("detached", TAKEN_OUT);
    Cells again = new Cells("attached again", AGAIN);
    Setting older = new Setting(setting.javaHome(), Setting.nettys().get(0));
    try (Scene scene =
            Scene.plain(setting, directory, Hosted.class, classPath(older), classPath(setting));
        Chromium chromium = new Chromium()) {
      scene.next();
      scene.attach(OPTIONS);
      Map<String, Long> first = scene.next();
      chromium.open(scene);
      read(attached, scene, chromium, first);
      scene.control("detach");
      Map<String, Long> second = scene.next();
      second.put("stopped", 1L);
      // The counter of /metrics does not fall, though what was live is nobody's now.
      second.put("buffers", first.getOrDefault("buffers", 0L));
      second.put(DETACHED, 1L);
      read(detached, scene, chromium, second);
      scene.attach(OPTIONS);
      Map<String, Long> third = scene.next();
      read(again, scene, chromium, third);
      scene.end();
      again.read(Surfaces.reports(), scene, third);
      chromium.readFile(again, scene, third);
    }
    Cells.assertRight(attached, detached, again);
    Document.check("attached", attached);
    Document.check("detached", detached);
    Document.check("attached again", again);
  }

  private static void read(Cells cells, Scene scene, Chromium chromium, Map<String, Long> ledger)
      throws Exception {
    cells.read(Surfaces.asked(), scene, ledger);
    cells.read(Surfaces.rendered(), scene, ledger);
    chromium.readLive(cells, scene, ledger);
  }

  private static String classPath(Setting setting) {
    return Stream.concat(Stream.of(Setting.PROGRAMS), setting.nettyJars().stream())
        .map(path -> path + (path.equals(Setting.PROGRAMS) ? "/" : ""))
        .collect(joining(File.pathSeparator));
  }
}
