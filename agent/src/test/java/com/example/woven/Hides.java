package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;

/** Classes that keep buffers and are not followed. */
public final class Hides {
  private Hides() {}

  private record Pair(ByteBuf head, ByteBuf body) {}

  private record Link(ByteBuf body, @Nullable Link next) {}

  private static final class Slot {
    @Nullable ByteBuf body;

    void put(ByteBuf body) {
      this.body = body;
    }

    boolean isFull() {
      return body != null;
    }
  }

  private static final class Frames implements Iterator<Integer> {
    private final ByteBuf body;

    Frames(ByteBuf body) {
      this.body = body;
    }

    @Override
    public boolean hasNext() {
      return body.isReadable();
    }

    @Override
    public Integer next() {
      return (int) body.readByte();
    }
  }

  private static final class Later extends TimerTask {
    private final ByteBuf body;

    Later(ByteBuf body) {
      this.body = body;
    }

    @Override
    public void run() {
      body.readableBytes();
    }
  }

  /** Is followed. */
  private record Letter(ByteBuf body) {}

  private static final class Post extends ChannelInboundHandlerAdapter {
    private @Nullable ByteBuf body;

    Post(ByteBuf body) {
      this.body = body;
    }

    Post put(ByteBuf next) {
      body = body == null ? null : next;
      return this;
    }
  }

  /** Gives one to each. */
  public static Object run() {
    ByteBuf body = Unpooled.wrappedBuffer(new byte[4]);
    Slot slot = new Slot();
    slot.put(body);
    fill(slot, body);
    Post post = new Post(body).put(body);
    return List.of(
        slot.isFull(),
        post,
        new Pair(body, body),
        new Link(body, new Link(body, null)),
        slot,
        new Frames(body),
        new Later(body),
        new Letter(body));
  }

  private static void fill(Slot slot, ByteBuf body) {
    slot.body = Objects.requireNonNull(body);
  }
}
