package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Gives;
import com.example.woven.Pipes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.Evidence;
import org.buftrail.model.Leftover;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The receivers of a buffer that was looked at: handlers of a pipeline, and methods of libraries.
 */
final class HandedTest {
  private static final String OWN = "com.example.woven";

  private final List<String> log = new ArrayList<>();

  @BeforeAll
  static void look() {
    FlowTracker.INSTANCE.start(true);
    FlowTracker.INSTANCE.setOwnClasses(name -> name.startsWith(OWN));
  }

  @AfterAll
  static void ownNothing() {
    FlowTracker.INSTANCE.setOwnClasses(name -> false);
  }

  /** The evidence about the one buffer that a method leaves. */
  private String handed(Class<?> program, String method, String include) throws Exception {
    WeavingLoader loader = new WeavingLoader(WeavingLoader.weaver(include, log));
    LeakScope scope = LeakScope.open(method);
    Callable<Object> run =
        () -> {
          LeakScope.Entered entered = scope.enter();
          try {
            return loader.run(program, method);
          } finally {
            entered.close();
          }
        };
    FutureTask<Object> task = new FutureTask<>(run);
    // Each thread looks at the first ones that it allocates.
    Thread thread = new Thread(task, "looks");
    thread.start();
    Object kept = task.get();
    List<Leftover> left = scope.leftovers();
    scope.close();
    assertThat(log).isEmpty();
    assertThat(left).hasSize(1);
    Evidence evidence = Objects.requireNonNull(left.get(0).evidence());
    assertThat(evidence.places(Evidence.Kind.ASKED_FOR)).isNotEmpty();
    List<Evidence.Place> places = evidence.places(Evidence.Kind.HANDED);
    assertThat(kept).isNotNull();
    return places.isEmpty() ? "" : text(places.get(0));
  }

  private static String text(Evidence.Place place) {
    StringBuilder text = new StringBuilder(place.nearest().hop());
    place.callers().forEach(site -> text.append(" by ").append(site.hop()));
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "alone, Sink.alone by Gives.alone",
    "beforeOne, Sink.beforeOne by Gives.beforeOne",
    "beforeLong, Sink.beforeLong by Gives.beforeLong",
    "amongMany, Sink.amongMany by Gives.amongMany",
    "constructed, Sink$Queue.<init> by Gives.constructed",
  })
  void theApplicationGivesItToALibrary(String method, String expected) throws Exception {
    assertThat(handed(Gives.class, method, OWN)).isEqualTo(expected);
  }

  @Test
  void whatIsAHopIsNotSaidAgain() throws Exception {
    assertThat(handed(Gives.class, "alone", "com.example")).isEmpty();
  }

  @Test
  void argumentsStayAsTheyAre() throws Exception {
    WeavingLoader loader = new WeavingLoader(WeavingLoader.weaver(OWN, log));
    List<?> many = (List<?>) loader.run(Gives.class, "amongMany");
    assertThat(many.get(0)).isEqualTo(4L);
    assertThat(many.subList(2, 7)).isEqualTo(List.of(0.5, 2, (byte) 9, "b4", 1.5f));
    List<?> one = (List<?>) loader.run(Gives.class, "beforeOne");
    assertThat(one.get(0)).isEqualTo("a");
    assertThat(one.get(2)).isEqualTo(true);
    assertThat(((List<?>) loader.run(Gives.class, "beforeLong")).get(1)).isEqualTo(7L);
    assertThat(loader.changed).contains(Gives.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "read, Keepers$Reads.channelRead by Keepers$Passes.channelRead",
    "readByAnAdapter, Keepers$Adapter.channelRead0 by Keepers$Passes.channelRead",
    "decoded, Keepers$Codec.decode by Keepers$Passes.channelRead",
    "written, Keepers$Writes.write",
    "encoded, Keepers$Codec.encode",
    "held, Keepers$Reads.channelRead",
  })
  void aPipelineHandsItToAHandler(String method, String expected) throws Exception {
    assertThat(handed(Pipes.class, method, OWN)).isEqualTo(expected);
  }
}
