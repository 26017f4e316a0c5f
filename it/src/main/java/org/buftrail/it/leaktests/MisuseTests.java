package org.buftrail.it.leaktests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A misuse that a test means, in each form of assertion, beside those that code under test
 * swallows.
 */
public class MisuseTests {
  private static final Class<IllegalReferenceCountException> WRONG_COUNT =
      IllegalReferenceCountException.class;

  private ByteBuf released = Buffers.written(Buffers.direct());

  @BeforeEach
  void release() {
    released.release();
  }

  @Test
  void cleanAssertThrowsOfAMethod() {
    assertThrows(WRONG_COUNT, released::release);
  }

  @Test
  void cleanAssertThrowsOfALambda() {
    assertThrows(RuntimeException.class, () -> released.getInt(0));
    assertThrows(WRONG_COUNT, () -> released.retain());
  }

  @Test
  void cleanAssertJ() {
    assertThatThrownBy(released::release).isInstanceOf(WRONG_COUNT);
    assertThatThrownBy(() -> released.getInt(0)).isInstanceOf(WRONG_COUNT);
    assertThatExceptionOfType(WRONG_COUNT).isThrownBy(released::release);
    assertThatCode(() -> released.release()).isInstanceOf(WRONG_COUNT);
    assertEquals(WRONG_COUNT, catchThrowable(released::retain).getClass());
  }

  @Test
  void cleanCaughtHere() {
    try {
      released.release();
    } catch (IllegalReferenceCountException expected) {
      assertEquals(0, released.refCnt());
    }
  }

  @Test
  void cleanCaughtByAHelper() {
    expectWrongCount(released::release);
    expectWrongCount(() -> released.getInt(0));
  }

  private static void expectWrongCount(Runnable work) {
    try {
      work.run();
    } catch (IllegalReferenceCountException expected) {
      return;
    }
    throw new AssertionError("nothing thrown");
  }

  @Test
  void cleanWrapped() {
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> Buffers.releaseOrFail(released));
    assertEquals("not released", thrown.getMessage());
    assertThatThrownBy(() -> Buffers.releaseOrFail(released)).hasCauseInstanceOf(WRONG_COUNT);
  }

  @Test
  void cleanOfAnotherThread() {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      assertThrows(ExecutionException.class, () -> other.submit(() -> released.getInt(0)).get());
      CompletableFuture<Object> future =
          CompletableFuture.supplyAsync(released::release, other).handle((done, e) -> e.getCause());
      assertEquals(WRONG_COUNT, future.join().getClass());
    } finally {
      other.shutdown();
    }
  }

  @Test
  void cleanCauseOfAFuture() throws InterruptedException {
    DefaultEventExecutor loop = new DefaultEventExecutor();
    try {
      assertEquals(WRONG_COUNT, loop.submit(() -> released.release()).await().cause().getClass());
    } finally {
      Object unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  private static final class Releasing extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
      ReferenceCountUtil.release(msg);
    }
  }

  @Test
  void cleanThroughAPipeline() {
    EmbeddedChannel channel = new EmbeddedChannel(new Releasing());
    assertThrows(WRONG_COUNT, () -> channel.writeInbound(released));
    channel.pipeline().fireChannelRead(released);
    assertThrows(WRONG_COUNT, channel::checkException);
  }

  /** What is lost in {@code finally} was not swallowed by anybody. */
  @Test
  void cleanLostInFinally() {
    assertThrows(WRONG_COUNT, () -> Buffers.retainAndRelease(released));
    EmbeddedChannel channel = new EmbeddedChannel(new RetainingEncoder());
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> channel.writeAndFlush(released).get());
    Throwable cause = Objects.requireNonNull(thrown.getCause());
    assertEquals(WRONG_COUNT, Objects.requireNonNull(cause.getCause()).getClass());
  }

  private static final class RetainingEncoder extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
      try {
        Buffers.retainAndRelease((ByteBuf) msg);
      } catch (IllegalReferenceCountException e) {
        promise.setFailure(new IllegalStateException(e));
      }
    }
  }

  @Test
  void cleanReleaseOfTooMany() {
    ByteBuf buffer = Buffers.direct();
    assertThrows(WRONG_COUNT, () -> buffer.release(2));
    assertThatThrownBy(() -> buffer.retain().release(3)).isInstanceOf(WRONG_COUNT);
    buffer.release(2);
  }

  @Test
  void leakReleaseOfTooMany() {
    ByteBuf buffer = Buffers.direct();
    Buffers.releaseQuietly(buffer, 2);
    buffer.release();
  }

  @Test
  void cleanFailedFutures() {
    CompletableFuture<Object> future = new CompletableFuture<>();
    Buffers.releaseInto(future, released);
    assertThat(future).failsWithin(Duration.ZERO).withThrowableOfType(ExecutionException.class);
    CompletableFuture<Object> other = new CompletableFuture<>();
    Buffers.releaseInto(other, released);
    assertEquals(WRONG_COUNT, other.handle((done, e) -> e.getClass()).join());
    Promise<Object> promise = ImmediateEventExecutor.INSTANCE.newPromise();
    try {
      released.release();
    } catch (IllegalReferenceCountException e) {
      promise.setFailure(e);
    }
    assertThat(promise.cause()).isInstanceOf(WRONG_COUNT);
  }

  @Test
  void leakSwallowedBeforeAnAssertedOne() {
    assertThrows(
        WRONG_COUNT,
        () -> {
          Buffers.releaseQuietly(released);
          released.release();
        });
  }

  @Test
  void leakSwallowed() {
    Buffers.releaseQuietly(released);
  }

  @Test
  void leakSwallowedByNetty() {
    ReferenceCountUtil.safeRelease(released);
  }

  @Test
  void leakSwallowedOnAnotherThread() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      other.submit(() -> Buffers.readQuietly(released)).get();
    } finally {
      other.shutdown();
    }
  }

  /** Of its own task, but to nobody. */
  @Test
  void leakSwallowedByAnExecutor() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    Object unused = other.submit(() -> released.release());
    other.shutdown();
    other.awaitTermination(1, TimeUnit.MINUTES);
  }

  @Test
  void leakSwallowedBesideAnAssertedOne() {
    assertThrows(WRONG_COUNT, released::release);
    Buffers.releaseQuietly(released);
  }

  @Test
  void leakSwallowedWithinAnAssertion() {
    assertDoesNotThrow(() -> Buffers.releaseQuietly(released));
    assertThrows(
        IllegalStateException.class,
        () -> {
          Buffers.readQuietly(released);
          throw new IllegalStateException();
        });
  }
}
