package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What tests allocate, and the threads that release it later. */
final class Buffers {
  private static final ScheduledExecutorService LATER =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "later");
            thread.setDaemon(true);
            return thread;
          });

  private Buffers() {}

  static ByteBuf direct() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(256);
  }

  static ByteBuf heap() {
    return PooledByteBufAllocator.DEFAULT.heapBuffer(256);
  }

  /** Passes it on, so that the path has more than a place. */
  static ByteBuf written(ByteBuf buffer) {
    return buffer.writeLong(42);
  }

  /** Code under test that passes on what a second release throws. */
  static void releaseLoudly(ByteBuf buffer) {
    buffer.release();
  }

  /** Code under test that swallows what a second release throws. */
  static void releaseQuietly(ByteBuf buffer) {
    try {
      buffer.release();
    } catch (IllegalReferenceCountException swallowed) {
      return;
    }
  }

  /** Code under test that swallows what a release of too many throws. */
  static void releaseQuietly(ByteBuf buffer, int times) {
    try {
      buffer.release(times);
    } catch (IllegalReferenceCountException swallowed) {
      return;
    }
  }

  /** Code under test whose second exception is thrown in place of the first. */
  static void retainAndRelease(ByteBuf buffer) {
    try {
      buffer.retain();
    } finally {
      buffer.release();
    }
  }

  /** Code under test that completes a future with what a release throws. */
  static void releaseInto(CompletableFuture<Object> future, ByteBuf buffer) {
    try {
      future.complete(buffer.release());
    } catch (IllegalReferenceCountException e) {
      future.completeExceptionally(e);
    }
  }

  /** Code under test that swallows what an access throws. */
  static long readQuietly(ByteBuf buffer) {
    try {
      return buffer.readLong();
    } catch (IllegalReferenceCountException swallowed) {
      return 0;
    }
  }

  /** Code under test that wraps what a second release throws. */
  static void releaseOrFail(ByteBuf buffer) {
    try {
      buffer.release();
    } catch (IllegalReferenceCountException e) {
      throw new IllegalStateException("not released", e);
    }
  }

  static void releaseAfter(long millis, ByteBuf buffer) {
    Future<?> unused = LATER.schedule(() -> buffer.release(), millis, TimeUnit.MILLISECONDS);
  }
}
