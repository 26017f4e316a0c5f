package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Methods that only read what they get have a name that begins so. */
@SuppressWarnings("unused")
public class Readers implements Runnable {
  private static final List<ByteBuf> ALL = new ArrayList<>();
  private static ByteBuf last = Unpooled.EMPTY_BUFFER;
  private ByteBuf mine = Unpooled.EMPTY_BUFFER;
  private long sum;

  interface Check {
    boolean readsByOwnInterface(ByteBuf buffer);
  }

  static boolean readsABit(ByteBuf buffer) {
    return buffer.isReadable() && buffer.getByte(buffer.readerIndex()) == '{';
  }

  private int readsAll(ByteBuf buffer) {
    int count = 0;
    while (buffer.isReadable()) {
      ByteBuf part = buffer.readSlice(1);
      sum += part.getByte(0);
      count++;
    }
    return count;
  }

  static byte[] readsToArray(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  static void readsIntoAnother(ByteBuf out, ByteBuf in) {
    out.writeByte('(').writeLong(7).writeBytes(in).writeByte(')');
  }

  static int readsOrThrows(ByteBuf in) throws IOException {
    int value = in.readInt();
    if (value < 0) {
      throw new IOException("not a value: " + value + " in " + in);
    }
    return value;
  }

  static String readsInBranches(ByteBuf in, long a, double b, boolean upper) {
    long length = in.readableBytes() > a ? (long) (in.readableBytes() * b) : a;
    try {
      String text = in.toString(upper ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII);
      switch (text.length()) {
        case 0:
          return "empty" + length;
        case 1:
          return ByteBufUtil.hexDump(in);
        default:
          return text;
      }
    } catch (IndexOutOfBoundsException e) {
      return "short: " + in.writerIndex();
    } finally {
      in.resetReaderIndex();
    }
  }

  static String readsRequest(FullHttpRequest request) {
    ByteBuf body = request.content();
    return request.method() + request.uri() + request.headers().get("Host") + body.refCnt();
  }

  int readsByOthers(ByteBuf buffer) {
    return readsAll(buffer) + (readsABit(Objects.requireNonNull(buffer)) ? 1 : 0);
  }

  static int readsDeeper(ByteBuf buffer, int depth) {
    return depth == 0 ? buffer.readableBytes() : readsDeeper(buffer.slice(), depth - 1);
  }

  static int readsCopy(ByteBuf buffer, boolean isEmpty) {
    ByteBuf copy = isEmpty ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(buffer);
    return copy.readableBytes();
  }

  int readsOrMine(ByteBuf buffer) {
    ByteBuf which = buffer == null ? mine : buffer;
    return which.capacity();
  }

  static void releases(ByteBuf buffer) {
    buffer.readByte();
    buffer.release();
  }

  static void releasesAPart(ByteBuf buffer) {
    buffer.slice().release();
  }

  static void releasesBody(FullHttpRequest request) {
    request.content().release();
  }

  static void retains(ByteBuf buffer) {
    buffer.retain();
  }

  static void slices(ByteBuf buffer) {
    buffer.retainedSlice();
  }

  static ByteBuf returns(ByteBuf buffer) {
    return buffer.writeByte(1);
  }

  static Object returnsAsObject(ByteBuf buffer, boolean not) {
    return not ? "" : buffer;
  }

  void stores(ByteBuf buffer) {
    mine = buffer;
  }

  static void storesStatically(ByteBuf buffer) {
    last = buffer.duplicate();
  }

  static Object[] storesInArray(ByteBuf buffer) {
    return new Object[] {buffer};
  }

  static void adds(ByteBuf buffer) {
    ALL.add(buffer);
  }

  static void addsToComposite(CompositeByteBuf all, ByteBuf part) {
    all.addComponent(true, part);
  }

  static Supplier<Byte> captures(ByteBuf buffer) {
    return () -> buffer.readByte();
  }

  static void passesOn(ByteBuf buffer) {
    buffer.readByte();
    releases(buffer);
  }

  static ByteBuf wraps(ByteBuf buffer) {
    return Unpooled.wrappedBuffer(buffer);
  }

  static void oneOfTwo(ByteBuf in, ByteBuf out) {
    in.readByte();
    out.release();
  }

  static void laterRound(ByteBuf first, ByteBuf second) {
    ByteBuf now = null;
    for (int i = 0; i < 2; i++) {
      if (now != null) {
        ALL.add(now);
      }
      now = first;
    }
  }

  /** As a library would, with what it gives away. */
  static int referredTo(ByteBuf buffer) {
    return buffer.readableBytes();
  }

  static Consumer<ByteBuf> reference() {
    return Readers::referredTo;
  }

  static void handles(ChannelHandlerContext ctx, ByteBuf buffer) {
    buffer.readByte();
  }

  int overridden(ByteBuf buffer) {
    return buffer.readableBytes();
  }

  int callsWhatMayBeOverridden(ByteBuf buffer) {
    return overridden(buffer);
  }

  @Override
  public void run() {}

  static class Checked implements Check {
    @Override
    public boolean readsByOwnInterface(ByteBuf buffer) {
      return buffer.isReadable();
    }
  }

  /** Called by libraries that get such objects. */
  static final class Sink implements Consumer<ByteBuf> {
    private long sum;

    @Override
    public void accept(ByteBuf buffer) {
      sum += buffer.readableBytes();
    }

    void readsToo(ByteBuf buffer) {
      sum += buffer.readableBytes();
    }
  }
}
