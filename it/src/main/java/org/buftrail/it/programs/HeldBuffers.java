package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Hands buffers on inside holders: Netty's, some whose constructors call methods that may be
 * overridden, and the application's own, of which one makes its content when it is asked for it.
 *
 * <p>With two arguments it makes the first file once Netty is loaded, and waits for the second.
 */
public final class HeldBuffers {
  private static int built;

  private HeldBuffers() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0) {
      new DefaultByteBufHolder(heap()).release();
      Files.createFile(Path.of(args[0]));
      while (!Files.exists(Path.of(args[1]))) {
        Thread.sleep(10);
      }
    }
    http(new DefaultHttpContent(heap()));
    request(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/", heap()));
    response(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, heap()));
    socket(new BinaryWebSocketFrame(heap()));
    packet(new DatagramPacket(heap(), new InetSocketAddress(9)));
    view(new DefaultByteBufHolder(heap().slice()));
    own(new Own(heap()));
    for (int i = 0; i < 1_500; i++) {
      ReferenceCountUtil.release(framed(i + 1, heap()));
      ReferenceCountUtil.release(stamped(i + 1, heap()));
      send(route(new Lazy()));
    }
    System.out.print("built " + built);
  }

  private static ByteBuf heap() {
    return UnpooledByteBufAllocator.DEFAULT.heapBuffer(16).writeLong(1);
  }

  private static void http(DefaultHttpContent message) {
    message.release();
  }

  private static void request(DefaultFullHttpRequest message) {
    message.release();
  }

  private static void response(DefaultFullHttpResponse message) {
    message.release();
  }

  private static void socket(BinaryWebSocketFrame message) {
    message.release();
  }

  private static void packet(DatagramPacket message) {
    message.release();
  }

  private static void view(ByteBufHolder message) {
    message.release();
  }

  private static void own(Own message) {
    message.release();
  }

  private static DefaultSpdyDataFrame framed(int id, ByteBuf data) {
    return new DefaultSpdyDataFrame(id, data);
  }

  private static Stamped stamped(int id, ByteBuf data) {
    return new Stamped(id, data);
  }

  private static Lazy route(Lazy message) {
    return message;
  }

  private static void send(Lazy message) {
    message.content().release();
  }

  /** Its content is a field, as in most. */
  private static class Own extends AnyHolder {
    private final ByteBuf body;

    Own(ByteBuf body) {
      this.body = body;
    }

    @Override
    public ByteBuf content() {
      return body;
    }
  }

  /** What calls a method of the class below, before that has its buffer. */
  private abstract static class Numbered extends AnyHolder {
    @SuppressWarnings("UnusedVariable") // what a constructor leaves behind
    private int id;

    @SuppressWarnings("this-escape") // which is what is tried
    Numbered(int id) {
      number(id);
    }

    Numbered number(int id) {
      this.id = id;
      return this;
    }
  }

  private static final class Stamped extends Numbered {
    private final ByteBuf data;

    Stamped(int id, ByteBuf data) {
      super(id);
      this.data = data;
    }

    @Override
    Stamped number(int id) {
      super.number(id);
      return this;
    }

    @Override
    public ByteBuf content() {
      return data;
    }
  }

  /** Makes its content at each call. */
  private static final class Lazy extends DefaultByteBufHolder {
    Lazy() {
      super(Unpooled.EMPTY_BUFFER);
    }

    @Override
    public ByteBuf content() {
      built++;
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(1024);
    }
  }

  private abstract static class AnyHolder implements ByteBufHolder {
    @Override
    public ByteBufHolder copy() {
      return new DefaultByteBufHolder(content().copy());
    }

    @Override
    public ByteBufHolder duplicate() {
      return new DefaultByteBufHolder(content().duplicate());
    }

    @Override
    public ByteBufHolder retainedDuplicate() {
      return new DefaultByteBufHolder(content().retainedDuplicate());
    }

    @Override
    public ByteBufHolder replace(ByteBuf content) {
      return new DefaultByteBufHolder(content);
    }

    @Override
    public int refCnt() {
      return content().refCnt();
    }

    @Override
    public ByteBufHolder retain() {
      content().retain();
      return this;
    }

    @Override
    public ByteBufHolder retain(int increment) {
      content().retain(increment);
      return this;
    }

    @Override
    public ByteBufHolder touch() {
      return this;
    }

    @Override
    public ByteBufHolder touch(Object hint) {
      return this;
    }

    @Override
    public boolean release() {
      return content().release();
    }

    @Override
    public boolean release(int decrement) {
      return content().release(decrement);
    }
  }
}
