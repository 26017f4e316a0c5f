package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.Isolated;

final class ConcurrencyTest {
  private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";
  private static final String CLASSES = "junit.jupiter.execution.parallel.mode.classes.default";
  private static final String BY_DEFAULT = "junit.jupiter.execution.parallel.mode.default";

  private static final class Within {}

  private static ExtensionContext concurrentClasses(
      Class<?> type, @Nullable String method, String key) throws NoSuchMethodException {
    return new FakeContext(type, method).set(PARALLEL, "true").set(key, "Concurrent").get();
  }

  @Test
  void whereNothingIsParallelEachIsAlone() throws Exception {
    assertThat(Concurrency.isAlone(new FakeContext(ConcurrencyTest.class, null).get())).isTrue();
    FakeContext mode = new FakeContext(ConcurrencyTest.class, null).set(CLASSES, "concurrent");
    assertThat(Concurrency.isAlone(mode.concurrent().get())).isTrue();
  }

  @Test
  void whatIsConcurrentIsNotAlone() throws Exception {
    FakeContext context = new FakeContext(ConcurrencyTest.class, null).set(PARALLEL, "true");
    assertThat(Concurrency.isAlone(context.get())).isTrue();
    assertThat(Concurrency.isAlone(context.concurrent().get())).isFalse();
  }

  @Test
  void classesAreAloneByWhatTheRunSaysOfClasses() throws Exception {
    for (String key : new String[] {CLASSES, BY_DEFAULT}) {
      assertThat(Concurrency.isAlone(concurrentClasses(ConcurrencyTest.class, null, key)))
          .isFalse();
      String method = "whatIsConcurrentIsNotAlone";
      assertThat(Concurrency.isAlone(concurrentClasses(ConcurrencyTest.class, method, key)))
          .as("within its class")
          .isTrue();
      assertThat(Concurrency.isAlone(concurrentClasses(Within.class, null, key))).isTrue();
    }
    ExtensionContext said =
        new FakeContext(ConcurrencyTest.class, null)
            .set(PARALLEL, "true")
            .set(BY_DEFAULT, "concurrent")
            .set(CLASSES, "same_thread")
            .get();
    assertThat(Concurrency.isAlone(said)).isTrue();
  }

  @Test
  void anIsolatedClassIsAlone() throws Exception {
    assertThat(Concurrency.isAlone(concurrentClasses(Isolation.class, null, CLASSES))).isTrue();
  }

  @Test
  void allAreWatchedWhereExtensionsAreDetected() throws Exception {
    FakeContext context = new FakeContext(ConcurrencyTest.class, null);
    assertThat(Concurrency.areAllWatched(context.get())).isFalse();
    context.set("junit.jupiter.extensions.autodetection.enabled", "TRUE");
    assertThat(Concurrency.areAllWatched(context.get())).isTrue();
  }
}

@Isolated
final class Isolation {
  private Isolation() {}
}
