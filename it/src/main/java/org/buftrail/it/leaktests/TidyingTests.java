package org.buftrail.it.leaktests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A misuse that a test asserts, and that the code under test repeats as it tidies up, beside those
 * that nobody asserts.
 */
public class TidyingTests {
  private static final Class<IllegalReferenceCountException> WRONG_COUNT =
      IllegalReferenceCountException.class;

  private final ByteBuf released = Buffers.written(Buffers.direct());
  private final Promise<Object> promise = ImmediateEventExecutor.INSTANCE.newPromise();
  private final CompletableFuture<Object> future = new CompletableFuture<>();

  @BeforeEach
  void release() {
    released.release();
  }

  @Test
  void cleanCauseOfAPromise() {
    Writer.write(released, promise);
    assertInstanceOf(WRONG_COUNT, promise.cause());
  }

  @Test
  void cleanPromiseOfAnotherThread() {
    DefaultEventExecutor loop = new DefaultEventExecutor();
    try {
      Promise<Object> done = loop.newPromise();
      loop.execute(() -> Writer.write(released, done));
      ExecutionException e = assertThrows(ExecutionException.class, done::get);
      assertInstanceOf(WRONG_COUNT, e.getCause());
    } finally {
      Object unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void cleanSyncUninterruptibly() {
    Writer.write(released, promise);
    assertThrows(WRONG_COUNT, promise::syncUninterruptibly);
  }

  @Test
  void cleanSyncInALambda() {
    Writer.write(released, promise);
    assertThatThrownBy(() -> promise.sync()).isInstanceOf(WRONG_COUNT);
  }

  @Test
  void cleanFeedsAnEmbeddedChannel() {
    assertThrows(WRONG_COUNT, () -> Writer.feed(released));
  }

  @Test
  void cleanCompletionException() {
    Writer.write(released, future);
    CompletionException e = assertThrows(CompletionException.class, future::join);
    assertInstanceOf(WRONG_COUNT, e.getCause());
  }

  @Test
  void cleanFailsWithin() {
    Writer.write(released, future);
    assertThat(future).failsWithin(Duration.ZERO).withThrowableOfType(ExecutionException.class);
  }

  @Test
  void cleanHandled() {
    Writer.write(released, future);
    assertEquals(WRONG_COUNT, future.handle((done, e) -> e.getClass()).join());
  }

  /** Who knows that it failed need not say why. */
  @Test
  void cleanAskedWhetherItFailed() {
    Writer.write(released, promise);
    assertFalse(promise.isSuccess());
    Writer.write(released, future);
    assertTrue(future.isCompletedExceptionally());
    CompletableFuture<Object> other = new CompletableFuture<>();
    Writer.write(released, other);
    assertThat(other).isCompletedExceptionally();
  }

  /** As the mock of a future is, whose calls are counted. */
  @Test
  void cleanOnlyTheTestAsksAMock() {
    List<String> calls = new ArrayList<>();
    ClassLoader loader = TidyingTests.class.getClassLoader();
    ChannelFuture mock =
        (ChannelFuture)
            Proxy.newProxyInstance(
                loader,
                new Class<?>[] {ChannelFuture.class},
                (proxy, method, arguments) -> {
                  calls.add(method.getName());
                  return method.getReturnType() == boolean.class ? false : null;
                });
    assertThrows(WRONG_COUNT, released::release);
    assertFalse(mock.isSuccess());
    assertEquals(List.of("isSuccess"), calls);
  }

  /** Why it fails by the answer, the answer does not say. */
  @Test
  void failedByAnAnswer() {
    Writer.write(released, promise);
    assertTrue(promise.isSuccess());
  }

  @Test
  void cleanAnotherComesBetween() {
    ByteBuf trailer = Buffers.direct();
    Writer.write(released, trailer, promise);
    assertInstanceOf(WRONG_COUNT, promise.cause());
    assertEquals(0, trailer.refCnt());
  }

  /** Of two that were released, what the test asserts says nothing about the second. */
  @Test
  void leakOfAnotherThatComesBetween() {
    ByteBuf trailer = Buffers.direct();
    trailer.release();
    Writer.write(released, trailer, promise);
    assertInstanceOf(WRONG_COUNT, promise.cause());
  }

  @Test
  void leakOfWhatNobodyAsserts() {
    Writer.write(released, promise);
  }

  @Test
  void leakBesideAnAssertedOne() {
    Writer.write(released, promise);
    assertInstanceOf(WRONG_COUNT, promise.cause());
    Writer.writeQuietly(released);
  }

  @Test
  void leakBeforeOneThatIsAsserted() {
    Writer.writeQuietly(released);
    Writer.write(released, promise);
    assertInstanceOf(WRONG_COUNT, promise.cause());
  }

  /** The same method, once more, after the test has had the first. */
  @Test
  void leakInALoopThatAssertsTheFirst() {
    for (boolean isDropped : new boolean[] {false, true}) {
      Promise<Object> done = ImmediateEventExecutor.INSTANCE.newPromise();
      Writer.writeOrDrop(released, isDropped, done);
      if (!isDropped) {
        assertInstanceOf(WRONG_COUNT, done.cause());
      }
    }
  }

  /** Netty's own method runs both handlers, one after the other. */
  @Test
  void leakInAnotherHandlerThanTheOneThatIsAsserted() {
    EmbeddedChannel channel = Writer.channel();
    assertThrows(WRONG_COUNT, () -> channel.writeInbound(released));
  }

  @Test
  void leakInATaskAfterOneThatIsAsserted() throws Exception {
    DefaultEventExecutor loop = new DefaultEventExecutor();
    try {
      for (boolean isDropped : new boolean[] {false, true}) {
        Promise<Object> done = loop.newPromise();
        loop.submit(() -> Writer.writeOrDrop(released, isDropped, done)).sync();
        if (!isDropped) {
          assertInstanceOf(WRONG_COUNT, done.cause());
        }
      }
    } finally {
      Object unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
