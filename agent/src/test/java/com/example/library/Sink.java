package com.example.library;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** A library that the application gives buffers to. It keeps them, and what came with them. */
public final class Sink {
  private Sink() {}

  public static Object alone(ByteBuf buffer) {
    return buffer;
  }

  public static Object beforeOne(String name, ByteBuf buffer, boolean last) {
    return List.of(name, buffer, last);
  }

  public static Object beforeLong(ByteBuf buffer, long offset) {
    return List.of(buffer, offset);
  }

  public static Object amongMany(
      long id, ByteBuf buffer, double share, int[] parts, byte flags, String name, float rest) {
    return List.of(id, buffer, share, parts.length, flags, name, rest);
  }

  /** Takes one and returns nothing. */
  public static final class Queue {
    private final List<Object> all;

    public Queue(ByteBuf first, long bound) {
      all = List.of(first, bound);
    }

    public Object all() {
      return all;
    }
  }
}
