package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DiskFileUpload;
import io.netty.handler.codec.http.multipart.MemoryFileUpload;
import io.netty.handler.codec.http.multipart.MixedFileUpload;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Messages and views, each with the buffer that its field has. */
public final class Messages {
  private static final Map<String, Object[]> CASES = new LinkedHashMap<>();

  private Messages() {}

  /** Name of the case to message and expected buffer, or null where it has no field. */
  public static Map<String, Object[]> holders() {
    CASES.clear();
    ByteBuf buffer = Unpooled.buffer(8).writeLong(1);
    add("holder", new DefaultByteBufHolder(buffer), buffer);
    add("content", new DefaultHttpContent(buffer), buffer);
    add("last content", new DefaultLastHttpContent(buffer), buffer);
    add(
        "request",
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/", buffer),
        buffer);
    add(
        "response",
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, buffer),
        buffer);
    add("frame", new TextWebSocketFrame(buffer), buffer);
    add("spdy", new DefaultSpdyDataFrame(1, buffer), buffer);
    add("datagram", new DatagramPacket(buffer, new InetSocketAddress(9)), buffer);
    add(
        "mqtt",
        new MqttPublishMessage(
            new MqttFixedHeader(MqttMessageType.PUBLISH, false, MqttQoS.AT_MOST_ONCE, false, 0),
            new MqttPublishVariableHeader("topic", 1),
            buffer),
        buffer);
    add("released", released(), Unpooled.EMPTY_BUFFER);
    add("own", new Own(buffer), buffer);
    add("own, of a content", new Delegating(new DefaultHttpContent(buffer)), buffer);
    add("own, of itself", new Round(), null);
    add("made on demand", new Lazy(), Unpooled.EMPTY_BUFFER);
    add("two fields", new Two(buffer), null);
    uploads();
    return CASES;
  }

  private static DefaultByteBufHolder released() {
    DefaultByteBufHolder holder = new DefaultByteBufHolder(Unpooled.EMPTY_BUFFER);
    holder.release();
    return holder;
  }

  private static void uploads() {
    try {
      ByteBuf small = Unpooled.buffer(8).writeLong(1);
      MemoryFileUpload memory =
          new MemoryFileUpload("m", "m", "text/plain", "binary", StandardCharsets.UTF_8, 8);
      memory.setContent(small);
      add("upload in memory", memory, small);
      MixedFileUpload mixed =
          new MixedFileUpload("m", "m", "text/plain", "binary", StandardCharsets.UTF_8, 8, 1024);
      ByteBuf inMixed = Unpooled.buffer(8).writeLong(1);
      mixed.setContent(inMixed);
      add("small mixed upload", mixed, inMixed);
      DiskFileUpload disk =
          new DiskFileUpload("m", "m", "text/plain", "binary", StandardCharsets.UTF_8, 8);
      disk.setContent(Unpooled.buffer(8).writeLong(1));
      add("upload on disk", disk, null);
      MixedFileUpload large =
          new MixedFileUpload("m", "m", "text/plain", "binary", StandardCharsets.UTF_8, 8, 4);
      large.setContent(Unpooled.buffer(8).writeLong(1));
      add("large mixed upload", large, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Name of the case to view and the buffer one step nearer to the count, or null. */
  @SuppressWarnings("deprecation") // applications still change the order
  public static Map<String, Object[]> views() {
    CASES.clear();
    ByteBuf buffer = Unpooled.buffer(8).writeLong(1);
    add("counting", buffer, buffer);
    Counting counting = new Counting(buffer);
    add("counting, of the application", counting, counting);
    add("slice", buffer.slice(), buffer);
    add("duplicate", buffer.duplicate(), buffer);
    add("read-only", buffer.asReadOnly(), buffer);
    add("other order", buffer.order(ByteOrder.LITTLE_ENDIAN), buffer);
    add("unreleasable", Unpooled.unreleasableBuffer(buffer), buffer);
    CompositeByteBuf composite = Unpooled.compositeBuffer();
    add("composite", composite, composite);
    add("empty", Unpooled.EMPTY_BUFFER, null);
    return CASES;
  }

  private static void add(String name, Object message, Object expected) {
    CASES.put(name, new Object[] {message, expected});
  }

  /** Keeps its buffer in a field of its own. */
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

  private static final class Delegating extends AnyHolder {
    private final DefaultHttpContent inner;

    Delegating(DefaultHttpContent inner) {
      this.inner = inner;
    }

    @Override
    public ByteBuf content() {
      return inner.content();
    }
  }

  private static final class Round extends AnyHolder {
    private final AnyHolder next = this;

    @Override
    public ByteBuf content() {
      return next.content();
    }
  }

  private static final class Two extends AnyHolder {
    private final ByteBuf head;
    private final ByteBuf body;

    Two(ByteBuf body) {
      this.head = Unpooled.EMPTY_BUFFER;
      this.body = body;
    }

    @Override
    public ByteBuf content() {
      return head.isReadable() ? head : body;
    }
  }

  private static final class Lazy extends DefaultByteBufHolder {
    Lazy() {
      super(Unpooled.EMPTY_BUFFER);
    }

    @Override
    public ByteBuf content() {
      throw new AssertionError("nobody may ask for it");
    }
  }

  /** Has a count of its own, whatever it says that it wraps. */
  private static final class Counting extends UnpooledHeapByteBuf {
    private final ByteBuf other;

    Counting(ByteBuf other) {
      super(UnpooledByteBufAllocator.DEFAULT, 8, 8);
      this.other = other;
    }

    @Override
    public ByteBuf unwrap() {
      return other;
    }
  }
}
