package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.CleanIdioms;
import org.buftrail.it.programs.Composites;
import org.buftrail.it.programs.Constructed;
import org.buftrail.it.programs.Derived;
import org.buftrail.it.programs.InTurn;
import org.buftrail.it.programs.LeakProne;
import org.buftrail.it.programs.Retainer;
import org.buftrail.it.programs.Views;
import org.buftrail.it.programs.Wrappers;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is often got wrong is a leak, what is right is none; Netty's own detector disturbs neither.
 */
final class IdiomsIT {
  private static final List<Class<?>> SEEN_THROUGH =
      List.of(Composites.class, Derived.class, Retainer.class, Views.class, Wrappers.class);

  @TempDir private Path directory;

  @EachSetting
  void whatIsOftenGotWrongIsALeakWhereItWasLost(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, LeakProne.class);
    String lost = "UnpooledByteBufAllocator.directBuffer > LeakProne.";
    assertThat(flows.summaries())
        .filteredOn(path -> path.endsWith("/1/0"))
        .containsExactlyInAnyOrder(
            "UnpooledByteBufAllocator.directBuffer > LeakProne.readIntoANewBuffer 0/1/0",
            lost + "sliceRetained > LeakProne.sliceRetained > LeakProne.sliceRetained 0/1/0",
            lost + "copied 0/1/0",
            lost + "thrownBeforeTheRelease 0/1/0",
            lost
                + "heldByAHolderThatIsForgotten > LeakProne.lost > LeakProne.lost_return"
                + " > LeakProne.heldByAHolderThatIsForgotten 0/1/0",
            lost
                + "swallowedByAHandler > LeakProne.lost > LeakProne.lost_return"
                + " > LeakProne.swallowedByAHandler > LeakProne$Swallowing.channelRead 0/1/0",
            lost
                + "retainedInAHandlerThatReleases > LeakProne.lost > LeakProne.lost_return"
                + " > LeakProne.retainedInAHandlerThatReleases"
                + " > LeakProne$Retaining.channelRead0 0/1/0",
            lost
                + "decodedButNeitherReadNorReleased > LeakProne.lost > LeakProne.lost_return"
                + " > LeakProne.decodedButNeitherReadNorReleased > LeakProne$Wrapping.decode 0/1/0",
            // Retained as part of the composite, and back on its own path when that is released.
            lost
                + "componentTakenOut > LeakProne.lost > LeakProne.lost_return"
                + " > LeakProne.componentTakenOut 0/1/0");
    assertThat(flows.total("leaked")).isEqualTo(9);
    assertThat(flows.total("live")).isZero();
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void whatIsRightIsNoLeak(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, CleanIdioms.class);
    assertThat(flows.total("leaked")).isZero();
    assertThat(flows.total("live")).isZero();
    assertThat(flows.total("allocated")).isGreaterThanOrEqualTo(2 * 11);
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.misuses()).isEmpty();
  }

  /** Which wrappers there are is Netty's doing, not the JVM's. */
  @EachSetting(ownJvm = true)
  void wrappersOfNettysDetectorAreSeenThrough(Setting setting) throws Exception {
    List<String> paths = detected(setting, "paranoid");
    assertThat(paths).isEqualTo(detected(setting, "disabled"));
    for (Class<?> program : SEEN_THROUGH) {
      assertThat(paths).anyMatch(path -> path.contains(" " + program.getSimpleName() + "."));
    }
  }

  @EachSetting
  void constructorsAreHopsWhereTheyAreAskedFor(Setting setting) throws Exception {
    String options =
        FlowCases.INCLUDE + ";trackConstructors=org.buftrail.it.programs.Constructed$Envelope";
    assertThat(flows(setting, options, directory, Constructed.class).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Constructed.main"
                + " > Constructed$Envelope.<init> > Constructed.pass > ByteBuf.release 1/0/0");
    assertThat(flows(setting, directory, Constructed.class).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Constructed.main > Constructed.pass"
                + " > ByteBuf.release 1/0/0");
  }

  private List<String> detected(Setting setting, String level)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Dio.netty.leakDetection.level=" + level)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(InTurn.class, SEEN_THROUGH.stream().map(Class::getName).toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.isBalanced()).isTrue();
    return flows.summaries();
  }
}
