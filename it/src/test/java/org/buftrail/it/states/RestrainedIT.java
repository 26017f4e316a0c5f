package org.buftrail.it.states;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent that follows a part: one in five, direct memory alone, without hops, or nothing new. */
final class RestrainedIT {
  private static final List<State> RESTRAINED =
      List.of(
          State.of(
              "One in five followed, direct memory alone",
              "sampling",
              "allocated",
              "released",
              "live",
              "liveBytes",
              "direct.released",
              "direct.live",
              "directBuffer.released",
              "directBuffer.live"),
          State.of("No hops", "no hops", "directBuffer.released", "directBuffer.live"));

  private static final List<State> OFF =
      List.of(State.of("Switched off", "stopped", "stopped: switched off"));

  private static final List<State> RESET =
      List.of(State.of("Counted from 0", "allocated", "released", "directBuffer.released", "live"));

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void aPartOfAll(Setting setting) throws Exception {
    String options =
        "report=flows.txt,flows.json,flows.html;sample=5;include=none;trackDirectOnly=true";
    Cells restrained = new Cells("restrained", RESTRAINED);
    Cells off = new Cells("off", OFF);
    Cells reset = new Cells("reset", RESET);
    try (Scene scene = Scene.start(setting, directory, Restrained.class, options, Scene.RECORDING);
        Chromium chromium = new Chromium()) {
      Map<String, Long> first = scene.next();
      chromium.open(scene);
      restrained.read(Surfaces.watched(), scene, first);
      restrained.read(Surfaces.rendered(), scene, first);
      chromium.readLive(restrained, scene, first);
      scene.control("off");
      Map<String, Long> second = scene.next();
      second.put("stopped", 1L);
      second.put("stopped: switched off", 1L);
      off.read(Surfaces.watched(), scene, second);
      off.read(Surfaces.rendered(), scene, second);
      chromium.readLive(off, scene, second);
      scene.control("on");
      scene.control("reset");
      Map<String, Long> third = scene.next();
      Map<String, Long> sinceReset = since(second, third);
      reset.read(Surfaces.rendered(), scene, sinceReset);
      reset.read(List.of(Surface.late("management bean", BeanReader::read)), scene, sinceReset);
      chromium.readLive(reset, scene, sinceReset);
      scene.end();
      restrained.read(Surfaces.ended(), scene, third);
      chromium.readFile(restrained, scene, third);
    }
    Cells.assertRight(restrained, off, reset);
    Document.check("restrained", restrained);
    Document.check("off", off);
    Document.check("reset", reset);
  }

  /** What ended before is gone, what is live is there. */
  private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> now) {
    Map<String, Long> since = new TreeMap<>(now);
    since.replaceAll(
        (figure, value) ->
            figure.matches("(.*\\.)?released(Bytes)?")
                ? value - before.getOrDefault(figure, 0L)
                : value);
    since.put("allocated", sum(since, "released", "live"));
    since.put("allocatedBytes", sum(since, "releasedBytes", "liveBytes"));
    return since;
  }

  private static long sum(Map<String, Long> ledger, String one, String other) {
    return ledger.getOrDefault(one, 0L) + ledger.getOrDefault(other, 0L);
  }
}
