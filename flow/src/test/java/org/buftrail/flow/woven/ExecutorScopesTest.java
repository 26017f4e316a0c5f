package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.Probe;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What {@code ScopeThreadsTest} leaves: executors that are alike, and when they are woven. */
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
final class ExecutorScopesTest {
  /** An executor as an application may write one: equal to all others. */
  private static final class Alike {
    @Override
    public boolean equals(Object o) {
      return o instanceof Alike;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static @Nullable LeakScope scopeOfAThreadOf(Object executor) throws InterruptedException {
    AtomicReference<LeakScope> scope = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              ExecutorScopes.begun(executor);
              scope.set(LeakScope.current());
            });
    thread.start();
    thread.join();
    return scope.get();
  }

  @Test
  void executorsAreToldApartHoweverEqualTheyAre() throws Exception {
    Alike ofOuter = new Alike();
    Alike ofInner = new Alike();
    try (LeakScope outer = LeakScope.open("outer")) {
      ExecutorScopes.made(ofOuter);
      try (LeakScope inner = LeakScope.open("inner")) {
        ExecutorScopes.made(ofInner);
        assertThat(scopeOfAThreadOf(ofOuter)).isSameAs(outer);
        assertThat(scopeOfAThreadOf(ofInner)).isSameAs(inner);
        assertThat(scopeOfAThreadOf(new Alike())).as("made before any scope").isSameAs(outer);
      }
    }
  }

  @Test
  void threadsOfAnExecutorThatWasMadeOutsideOfScopesAreInNone() throws Exception {
    int known = ExecutorScopes.known();
    Alike executor = new Alike();
    ExecutorScopes.made(executor);
    // Others may have been collected.
    assertThat(ExecutorScopes.known()).isLessThanOrEqualTo(known);
    assertThat(scopeOfAThreadOf(executor)).isNull();
  }

  @Test
  void executorsAreWovenOnceAndAsTheFirstScopeOpens() {
    List<String> woven = new ArrayList<>();
    ExecutorScopes.setWeaver(() -> woven.add("all"));
    assertThat(woven).isEmpty();
    for (int i = 0; i < 2; i++) {
      try (LeakScope scope = LeakScope.open("scope")) {
        assertThat(woven).containsExactly("all");
      }
    }
  }
}
