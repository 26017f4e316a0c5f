package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Ways to get back a buffer that waits in something of the JDK's. */
public final class Waiting {
  private static final Queue<ByteBuf> QUEUE = new ArrayDeque<>();
  private static final Queue<Letter> LETTERS = new ArrayDeque<>();
  private static final AtomicReference<Object> REFERENCE = new AtomicReference<>("");

  private Waiting() {}

  private record Letter(ByteBuf body) {}

  /** Has to do with buffers by what it takes alone. */
  private static final class Consumer {
    static Object consume(Queue<?> queue) {
      Object taken = (ByteBuf) queue.poll();
      return Objects.requireNonNull(taken);
    }
  }

  private static void fill() {
    QUEUE.add(Unpooled.wrappedBuffer(new byte[4]));
  }

  /** Takes it. */
  public static Object polled() {
    fill();
    ByteBuf next = Objects.requireNonNull(QUEUE.poll());
    return next;
  }

  /** Takes it, and keeps it in a variable. */
  public static Object removed() {
    fill();
    ByteBuf next = QUEUE.remove();
    return next.array().length == 4 ? next : "";
  }

  /** Takes it out of a future. */
  public static Object joined() {
    fill();
    CompletableFuture<ByteBuf> future = CompletableFuture.completedFuture(QUEUE.peek());
    ByteBuf next = future.join();
    return next.array().length == 4 ? next : "";
  }

  /** Takes it out of a reference. */
  public static Object swapped() {
    fill();
    REFERENCE.set(Objects.requireNonNull(QUEUE.peek()));
    ByteBuf next = (ByteBuf) REFERENCE.getAndSet("");
    return next.array().length == 4 ? next : "";
  }

  /** Takes what wraps it. */
  public static Object unwrapped() {
    fill();
    LETTERS.add(new Letter(Objects.requireNonNull(QUEUE.peek())));
    Letter next = LETTERS.remove();
    return next.hashCode() == 0 ? "" : QUEUE.remove();
  }

  /** Looks at it. */
  public static Object peeked() {
    fill();
    ByteBuf next = QUEUE.peek();
    return next != null && next.array().length == 4 ? next : "";
  }

  /** Looks at all. */
  public static Object looped() {
    fill();
    Object last = "";
    for (ByteBuf each : QUEUE) {
      last = each.array().length == 4 ? each : last;
    }
    return last;
  }

  /** Has another class take it. */
  public static Object consumed() {
    fill();
    return Consumer.consume(QUEUE);
  }

  private static ByteBuf next() {
    return QUEUE.remove();
  }

  /** Gives on what it takes. */
  public static Object returned() {
    fill();
    ByteBuf next = next();
    return next.array().length == 4 ? next : "";
  }
}
