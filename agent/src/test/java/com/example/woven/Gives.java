package com.example.woven;

import com.example.library.Sink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;

/** Gives buffers to a library, at several places among the arguments. */
public final class Gives {
  private Gives() {}

  private static ByteBuf make() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(16);
  }

  public static Object alone() {
    return List.of(Sink.alone(make()));
  }

  public static Object beforeOne() {
    return Sink.beforeOne("a", make(), true);
  }

  public static Object beforeLong() {
    return Sink.beforeLong(make(), 7L);
  }

  /** With variables of its own before and after, and on the way out of a loop. */
  public static Object amongMany() {
    long id = 3;
    for (int i = 0; i < 2; i++) {
      id += i;
    }
    String before = "b" + id;
    try {
      Object all = Sink.amongMany(id, make(), 0.5, new int[2], (byte) 9, before, 1.5f);
      String after = before + id;
      return after.equals("b44") ? all : after;
    } finally {
      before = "done";
    }
  }

  public static Object constructed() {
    return new Sink.Queue(make(), 5L).all();
  }
}
