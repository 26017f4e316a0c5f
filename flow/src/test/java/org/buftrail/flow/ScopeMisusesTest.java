package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.TestCode;
import org.buftrail.model.Misuse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which misuses a scope has, and which a test has seen itself. */
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
final class ScopeMisusesTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  @Test
  void misuseBelongsToTheScopeOfTheThreadThatDidIt() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    try (LeakScope outer = LeakScope.open("outer");
        LeakScope scope = LeakScope.open("scope")) {
      Buffers.misused(new IllegalReferenceCountException(), buffer, 0);
      assertThat(outer.misuses()).isEmpty();
      Misuse misuse = scope.misuses().get(0);
      assertThat(misuse.kind()).isEqualTo(Misuse.Kind.DOUBLE_RELEASE);
      assertThat(misuse.site().className()).isEqualTo(ScopeMisusesTest.class.getName());
      assertThat(misuse.hops())
          .extracting(hop -> hop.site().className())
          .containsExactly(Sites.get(root).className(), "test.A", "io.netty.buffer.ByteBuf");
    }
  }

  @Test
  void misuseThatReachedATestCountsNoMoreUnlessTheTestFailedByIt() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    try (LeakScope scope = LeakScope.open("scope")) {
      Exception asserted = new IllegalReferenceCountException();
      Exception other = new IllegalReferenceCountException();
      Buffers.misused(asserted, buffer, 0);
      Buffers.misused(other, buffer, 1);
      Runnable underTest = new PassingOn(other);
      underTest.run();
      TestCode.caught(new IllegalStateException(asserted));
      TestCode.caught(asserted);
      assertThat(scope.misuses())
          .singleElement()
          .satisfies(
              misuse -> {
                assertThat(misuse.kind()).isEqualTo(Misuse.Kind.RETAIN_AFTER_RELEASE);
                assertThat(misuse.stack()).containsExactly(other.getStackTrace());
              });
      Exception failure = new IllegalStateException();
      failure.addSuppressed(asserted);
      scope.failedBy(failure);
      assertThat(scope.misuses()).hasSize(2).allMatch(misuse -> misuse.count() == 1);
    }
  }

  @Test
  void whatATestLetsPassToAnAssertionHasReachedIt() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    try (LeakScope scope = LeakScope.open("scope")) {
      Exception thrown = new IllegalReferenceCountException();
      Buffers.misused(thrown, buffer, 0);
      assertThatCode(() -> TestCode.passed(thrown)).doesNotThrowAnyException();
      assertThat(scope.misuses()).isEmpty();
    }
  }

  @Test
  void aTestThatKnowsThatAFutureFailedHasSeenWhy() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    try (LeakScope scope = LeakScope.open("scope")) {
      CompletableFuture<Object> future = new CompletableFuture<>();
      CompletableFuture<Object> after = future.thenApply(done -> done);
      Exception thrown = misuse(buffer);
      TestCode.asked(future);
      assertThat(count(scope)).as("not yet").isOne();
      future.completeExceptionally(thrown);
      TestCode.asked("no future");
      TestCode.asked(null);
      assertThat(count(scope)).isOne();
      TestCode.asked(after);
      assertThat(count(scope)).isZero();
    }
  }

  /** A test that fails by the answer says what was expected, not why. */
  @Test
  void aTestThatFailsAfterItAskedAFutureIsToldWhy() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    FakeBuffer other = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    other.release();
    try (LeakScope around = LeakScope.open("around");
        LeakScope scope = LeakScope.open("scope")) {
      Exception seen = misuse(buffer);
      TestCode.asked(failed(seen));
      TestCode.caught(seen);
      TestCode.asked(failed(misuse(other)));
      assertThat(count(scope)).isZero();
      around.failedBy(new AssertionError());
      assertThat(count(scope)).as("another scope failed").isZero();
      scope.failedBy(new AssertionError("expected: <true> but was: <false>"));
      assertThat(count(scope)).as("the one that was only asked").isOne();
    }
    try (LeakScope scope = LeakScope.open("scope")) {
      Failing failing = new Failing();
      failing.run(buffer, buffer);
      TestCode.asked(failed(failing.first));
      assertThat(count(scope)).isZero();
      scope.failedBy(new AssertionError());
      assertThat(count(scope)).as("and what tidied up after it").isEqualTo(2);
    }
  }

  private static CompletableFuture<Object> failed(Exception cause) {
    CompletableFuture<Object> future = new CompletableFuture<>();
    future.completeExceptionally(cause);
    return future;
  }

  /** It may count the calls, as a mock does. */
  @Test
  void aFutureOfATestsOwnIsNotAsked() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    AtomicInteger calls = new AtomicInteger();
    CompletableFuture<Object> mock =
        new CompletableFuture<>() {
          @Override
          public boolean isCompletedExceptionally() {
            calls.incrementAndGet();
            return true;
          }
        };
    try (LeakScope scope = LeakScope.open("scope")) {
      mock.completeExceptionally(misuse(buffer));
      TestCode.asked(mock);
      assertThat(calls).hasValue(0);
      assertThat(count(scope)).isOne();
    }
  }

  /** JUnit 4 calls a test and what is to come after it from one method. */
  @Test
  void aMisuseAfterATestIsOfItsOwn() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    String statement = "org.junit.internal.runners.statements.RunAfters";
    try (LeakScope scope = LeakScope.open("scope")) {
      Exception asserted = new IllegalReferenceCountException();
      asserted.setStackTrace(
          new StackTraceElement[] {
            new StackTraceElement("com.example.Codec", "write", "Codec.java", 10),
            new StackTraceElement(statement, "evaluate", "RunAfters.java", 27),
          });
      Buffers.misused(asserted, buffer, 0);
      Exception swallowed = new IllegalReferenceCountException();
      swallowed.setStackTrace(
          new StackTraceElement[] {
            new StackTraceElement("com.example.Codec", "close", "Codec.java", 20),
            new StackTraceElement(statement, "evaluate", "RunAfters.java", 33),
          });
      Buffers.misused(swallowed, buffer, 0);
      TestCode.caught(asserted);
      assertThat(count(scope)).isOne();
    }
  }

  private static IllegalReferenceCountException misuse(FakeBuffer buffer) {
    IllegalReferenceCountException thrown = new IllegalReferenceCountException();
    Buffers.misused(thrown, buffer, 0);
    return thrown;
  }

  /** What a method does whose {@code finally} releases too; the exception that is left. */
  private static Exception loseOne(FakeBuffer buffer, FakeBuffer other) {
    Exception lost = misuse(buffer);
    Exception left = misuse(other);
    assertThat(lost).isNotSameAs(left);
    return left;
  }

  private static long count(LeakScope scope) {
    return scope.misuses().stream().mapToLong(Misuse::count).sum();
  }

  @Test
  void whatAnotherMisuseOfTheSameBufferReplacedIsSeenWithThat() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    FakeBuffer other = FakeBuffer.heap(1).allocatedAt(root);
    buffer.release();
    other.release();
    try (LeakScope scope = LeakScope.open("scope")) {
      Exception left = loseOne(buffer, buffer);
      assertThat(count(scope)).isEqualTo(2);
      TestCode.caught(left);
      assertThat(count(scope)).isZero();
      scope.failedBy(left);
      assertThat(count(scope)).isEqualTo(2);
    }
    try (LeakScope scope = LeakScope.open("scope")) {
      TestCode.caught(loseOne(buffer, other));
      assertThat(count(scope)).as("of another buffer").isOne();
    }
    try (LeakScope scope = LeakScope.open("scope")) {
      TestCode.caught(loseOne(buffer, buffer));
      FlowTracker.INSTANCE.addTestClass(ScopeMisusesTest.class.getName());
      TestCode.caught(loseOne(buffer, buffer));
      assertThat(count(scope)).as("a test's own").isOne();
    }
  }

  /** Code under test that fails by one misuse, and swallows another as it tidies up. */
  private static final class Failing {
    Exception first = new IllegalReferenceCountException();

    void run(FakeBuffer buffer, FakeBuffer second) {
      first = misuse(buffer);
      tidyUp(second);
    }

    private static void tidyUp(FakeBuffer second) {
      Exception swallowed = misuse(second);
      assertThat(swallowed).hasNoCause();
    }

    void run(FakeBuffer buffer, boolean isFirst) {
      if (isFirst) {
        run(buffer, buffer);
      } else {
        tidyUp(buffer);
      }
    }

    void runWithOthersBetween(FakeBuffer buffer, FakeBuffer other) {
      first = misuse(buffer);
      tidyUp(other);
      tidyUp(buffer);
    }
  }

  @Test
  void whatTidiesUpAfterAnAssertedMisuseIsSeenWithIt() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    FakeBuffer other = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    other.release();
    Failing failing = new Failing();
    try (LeakScope scope = LeakScope.open("scope")) {
      failing.run(buffer, buffer);
      assertThat(count(scope)).isEqualTo(2);
      TestCode.caught(failing.first);
      assertThat(count(scope)).isZero();
      scope.failedBy(failing.first);
      assertThat(count(scope)).isEqualTo(2);
    }
    try (LeakScope scope = LeakScope.open("scope")) {
      failing.runWithOthersBetween(buffer, other);
      TestCode.caught(failing.first);
      assertThat(count(scope)).as("of the other").isOne();
    }
    try (LeakScope scope = LeakScope.open("scope")) {
      failing.run(buffer, other);
      TestCode.caught(failing.first);
      assertThat(count(scope)).as("of another that was released there too").isOne();
    }
  }

  @Test
  void aMisuseInAnotherCallIsOfItsOwn() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    buffer.release();
    Failing failing = new Failing();
    try (LeakScope scope = LeakScope.open("scope")) {
      for (boolean isFirst : new boolean[] {true, false}) {
        failing.run(buffer, isFirst);
        if (isFirst) {
          TestCode.caught(failing.first);
        }
      }
      assertThat(count(scope)).as("after the test has had the first").isOne();
    }
    try (LeakScope outer = LeakScope.open("outer");
        LeakScope scope = LeakScope.open("scope")) {
      for (boolean isFirst : new boolean[] {true, false}) {
        Runnable task = () -> failing.run(buffer, isFirst);
        ExecutorScopes.handed(task);
        ExecutorScopes.run(task);
      }
      TestCode.caught(failing.first);
      assertThat(count(scope)).as("in another task").isOne();
      assertThat(outer.misuses()).isEmpty();
    }
  }

  @Test
  void aReleaseOfMoreThanThereIsIsAMisuseOfWhatIsLive() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    try (LeakScope scope = LeakScope.open("scope")) {
      Exception thrown = misuse(buffer);
      Buffers.misused(thrown, buffer, 0);
      Buffers.misused(new IllegalReferenceCountException(), buffer, 1);
      assertThat(scope.misuses())
          .singleElement()
          .satisfies(
              misuse -> {
                assertThat(misuse.kind()).isEqualTo(Misuse.Kind.RELEASE_OF_TOO_MANY);
                assertThat(misuse.count()).isOne();
                assertThat(misuse.hops())
                    .extracting(hop -> hop.site().className())
                    .containsExactly(Sites.get(root).className(), "test.A");
              });
      TestCode.caught(thrown);
      assertThat(scope.misuses()).isEmpty();
    }
    assertThat(FlowTracker.INSTANCE.snapshot().misuses())
        .as("nobody else is told")
        .noneMatch(misuse -> misuse.kind() == Misuse.Kind.RELEASE_OF_TOO_MANY);
    buffer.release();
  }

  /** A method of a test that code under test calls, which is here the test. */
  private static final class PassingOn implements Runnable {
    private final Exception thrown;

    PassingOn(Exception thrown) {
      this.thrown = thrown;
    }

    @Override
    public void run() {
      TestCode.passed(thrown);
    }
  }

  /** Named as Netty's. */
  private static final class IllegalReferenceCountException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
