package org.buftrail.report.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection, for one request: its head is read, it is answered, and what else comes is thrown
 * away until the client closes, since to close before that could take the answer from it.
 *
 * <p>All but {@link #work} belongs to the thread that serves all connections. While a worker has
 * the connection, its channel blocks, and is closed by that thread when the time is over.
 */
final class Connection {
  /** Bytes that are discarded after a request, at most. */
  private static final long MAX_SKIPPED = 16 << 20;

  private final SocketChannel channel;
  private final Handler handler;
  private final Limits limits;
  private final RequestHead head = new RequestHead();
  private State state = State.READING;

  /** Put off by the worker once it has read the body. */
  private volatile long deadlineNanos;

  private @Nullable ByteBuffer answer;
  private @Nullable Request request;

  /** What came with the head and is behind it. */
  private ByteBuffer early = ByteBuffer.allocate(0);

  private long skipped;

  /** Written by the worker before it gives the connection back. */
  private boolean broken;

  private enum State {
    READING,
    WRITING,
    WORKING,
    CLOSING
  }

  Connection(SocketChannel channel, Handler handler, Limits limits) {
    this.channel = channel;
    this.handler = handler;
    this.limits = limits;
    deadlineNanos = after(limits.clientMillis());
  }

  /** Begins to listen to the client. */
  void register(Selector selector) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** The time at which it is closed if nothing happens before, by {@link System#nanoTime}. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Whether a worker has it, or is to have it. */
  boolean isWorking() {
    return state == State.WORKING;
  }

  /** Whether there is an answer under way, or it may not have reached the client. */
  boolean isAnswering() {
    return state != State.READING;
  }

  /**
   * Goes on with what the channel is ready for.
   *
   * @param buffer of the serving thread
   * @return whether the connection stays open
   */
  boolean advance(SelectionKey key, ByteBuffer buffer) throws IOException {
    if (state == State.WRITING) {
      return write(key);
    }
    buffer.clear();
    int read = channel.read(buffer);
    buffer.flip();
    if (state == State.CLOSING) {
      skipped += Math.max(0, read);
      return read >= 0 && skipped <= MAX_SKIPPED;
    }
    return read >= 0 && read(key, buffer);
  }

  private boolean read(SelectionKey key, ByteBuffer in) throws IOException {
    Response known;
    boolean withBody = true;
    try {
      if (!head.add(in)) {
        return true;
      }
      Request asked = head.read();
      withBody = !asked.method().equals("HEAD");
      known = handler.atOnce(asked);
      request = asked;
    } catch (MalformedRequestException e) {
      known = handler.refusal(e.status());
    }
    if (known == null) {
      state = State.WORKING;
      deadlineNanos = after(limits.bodyMillis());
      early = ByteBuffer.allocate(in.remaining()).put(in);
      early.flip();
      key.cancel();
      channel.configureBlocking(true);
      return true;
    }
    state = State.WRITING;
    deadlineNanos = after(limits.clientMillis());
    answer = ByteBuffer.wrap(known.whole(withBody, System.currentTimeMillis()));
    return write(key);
  }

  private boolean write(SelectionKey key) throws IOException {
    ByteBuffer rest = answer;
    if (rest != null && rest.hasRemaining()) {
      channel.write(rest);
      if (rest.hasRemaining()) {
        key.interestOps(SelectionKey.OP_WRITE);
        return true;
      }
    }
    key.interestOps(SelectionKey.OP_READ);
    close();
    return true;
  }

  /** Answers a request that needs work; on a worker. */
  void work() {
    try {
      Request asked = request;
      if (asked == null) {
        throw new IllegalStateException("no request");
      }
      InputStream body = new RequestBody(asked, early, channel, this::putOff);
      Response response = handler.answer(asked, body);
      boolean inChunks = asked.takesChunks();
      ByteBuffer first = ByteBuffer.wrap(response.head(inChunks, System.currentTimeMillis()));
      while (first.hasRemaining()) {
        channel.write(first);
      }
      BodyOutput out = new BodyOutput(channel, inChunks && !response.isKnown());
      response.body().write(out);
      out.finish();
    } catch (IOException e) {
      // The client is gone, or its time is over.
      broken = true;
    } catch (Throwable e) {
      broken = true;
      handler.failed(e);
    }
  }

  /** Gives the answer its time, from the end of the body on. */
  private void putOff() {
    deadlineNanos = after(limits.workMillis());
  }

  /**
   * Takes it back from a worker.
   *
   * @return whether the connection stays open
   */
  boolean takeBack(Selector selector) throws IOException {
    if (!channel.isOpen()) {
      return false;
    }
    if (broken) {
      return false;
    }
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, this);
    close();
    return true;
  }

  private void close() throws IOException {
    state = State.CLOSING;
    answer = null;
    deadlineNanos = after(limits.closingMillis());
    channel.shutdownOutput();
  }

  /** Gives up the descriptor. An answer that was cut ends in a reset. */
  void drop() throws IOException {
    try (channel) {
      if (state == State.WORKING && channel.isOpen()) {
        // The end of the connection could be taken for the end of the answer.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    }
  }

  private static long after(int millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
