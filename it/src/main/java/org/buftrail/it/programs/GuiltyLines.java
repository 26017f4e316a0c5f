package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;

/** Loses buffers in places that are told apart by the line of a call alone. */
public final class GuiltyLines {
  private static final ByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;
  private static final int FORMS = 20;
  private static final Garbage LOST = new Garbage();

  private GuiltyLines() {}

  /**
   * Runs the program: {@code retains}, {@code factory}, {@code library}, {@code streams}, {@code
   * wrappers}, {@code types}, {@code readers} or {@code releases}.
   */
  public static void main(String[] args) throws InterruptedException {
    switch (args[0]) {
      case "retains":
        sliceOfASlice();
        oneRetainTooMany();
        break;
      case "factory":
        queued(new ArrayDeque<>());
        inAMessage();
        chained();
        break;
      case "library":
        for (int i = 0; i < FORMS; i++) {
          form();
        }
        break;
      case "streams":
        decoded(new ByteBufInputStream(make(), true));
        break;
      case "wrappers":
        wrapped(new Box(make()));
        seen(new Box(make()));
        Envelope envelope = new Envelope(new DefaultHttpContent(make()));
        opened(envelope);
        changing(new Changing().take(make()));
        break;
      case "types":
        counted(chunk());
        part(chunk());
        request(request());
        any(chunk().content());
        counter(chunk());
        break;
      case "readers":
        refused(make());
        sunk(make());
        break;
      default:
        released();
    }
    LOST.awaitCollection();
  }

  private static void refused(ByteBuf order) {
    if (isValid(order)) {
      order.release();
    }
  }

  private static boolean isValid(ByteBuf order) {
    return order.isReadable() && order.getByte(0) == 'x';
  }

  /** The last method that could release did not. */
  private static void sunk(ByteBuf order) {
    if (isValid(order)) {
      drop(order);
    } else {
      drop(order.writeByte(1));
    }
  }

  private static void drop(ByteBuf order) {
    if (order.refCnt() == 0) {
      order.release();
    }
  }

  /** The decoder keeps what it allocates until it is destroyed. */
  private static void form() {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.POST, "/", POOLED.directBuffer().writeZero(20));
    request.headers().set("content-type", "application/x-www-form-urlencoded");
    LOST.add(new HttpPostRequestDecoder(request));
    request.release();
  }

  private static void sliceOfASlice() {
    ByteBuf whole = POOLED.directBuffer(256).writeZero(200);
    ByteBuf frame = frame(whole);
    whole.release();
    ByteBuf body = body(frame);
    frame.release();
    LOST.add(body);
    lose(body);
  }

  private static ByteBuf frame(ByteBuf whole) {
    return whole.readRetainedSlice(100);
  }

  private static ByteBuf body(ByteBuf frame) {
    return frame.readRetainedSlice(50);
  }

  private static void lose(ByteBuf body) {
    body.readByte();
  }

  private static void oneRetainTooMany() {
    Box box = new Box(POOLED.directBuffer(128));
    LOST.add(box.content);
    box.keep();
    box.done();
  }

  /** By which a wrapper is seen. */
  interface Seen {
    ByteBuf content();
  }

  private static final class Box implements Seen {
    private final ByteBuf content;

    Box(ByteBuf content) {
      this.content = content;
    }

    @Override
    public ByteBuf content() {
      return content;
    }

    void keep() {
      content.retain();
    }

    void done() {
      content.release();
    }
  }

  /** Wraps what wraps a buffer. */
  private static final class Envelope {
    private final HttpContent letter;

    Envelope(HttpContent letter) {
      this.letter = letter;
    }
  }

  /** What it has changes, so it is no wrapper. */
  private static final class Changing {
    private ByteBuf content = Unpooled.EMPTY_BUFFER;

    Changing take(ByteBuf next) {
      content = next;
      return this;
    }
  }

  private static void wrapped(Box box) {
    Objects.requireNonNull(box);
  }

  private static void seen(Seen box) {
    Objects.requireNonNull(box);
  }

  private static void opened(Envelope envelope) {
    Objects.requireNonNull(envelope.letter);
  }

  private static void changing(Changing changing) {
    Objects.requireNonNull(changing.content);
  }

  private static ByteBuf make() {
    ByteBuf made = POOLED.directBuffer(64);
    LOST.add(made);
    return made;
  }

  private static void decoded(ByteBufInputStream stream) {
    Objects.requireNonNull(stream);
  }

  private static void queued(Queue<Object> queue) {
    queue.add(make());
    queue.remove();
  }

  private static void inAMessage() {
    new Box(make());
  }

  private static void chained() {
    make().writeByte(1);
  }

  private static DefaultHttpContent chunk() {
    DefaultHttpContent content = new DefaultHttpContent(POOLED.directBuffer(64));
    LOST.add(content.content());
    return content;
  }

  private static HttpRequest request() {
    ByteBuf body = POOLED.directBuffer(64);
    LOST.add(body);
    return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", body);
  }

  private static void counted(ReferenceCounted message) {
    message.refCnt();
  }

  private static void part(HttpObject message) {
    message.decoderResult();
  }

  private static void request(HttpRequest message) {
    message.uri();
  }

  private static <T> void any(T message) {
    Objects.requireNonNull(message);
  }

  private static <T extends ReferenceCounted> void counter(T message) {
    message.refCnt();
  }

  private static void released() {
    byItself(POOLED.directBuffer(8));
    byTheLibrary(POOLED.directBuffer(8));
    byBoth(POOLED.directBuffer(8));
  }

  private static void byItself(ByteBuf buffer) {
    buffer.release();
  }

  private static void byTheLibrary(Object message) {
    ReferenceCountUtil.release(message);
  }

  private static void byBoth(Object message) {
    ReferenceCountUtil.retain(message);
    ReferenceCountUtil.release(message, 2);
  }
}
