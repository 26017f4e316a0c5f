package org.buftrail.report.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serves HTTP/1.1, one request a connection, and takes no more of the process than it is allowed.
 *
 * <p>One thread accepts connections, reads the heads of requests, sends answers that need no work,
 * and closes what has used up its time. So a client that is slow, or silent, holds a descriptor for
 * some seconds and no thread. Workers answer the rest, one request at a time each; they go when
 * there is nothing to do.
 *
 * <p>Where there are as many connections as may be, the oldest that no worker has gives way to a
 * new one: a client that opens connections and sends nothing keeps nobody out. If workers have all,
 * the new one is closed at once.
 */
public final class HttpServer {
  /** Connections that the kernel keeps until they are accepted; they need no descriptor. */
  private static final int BACKLOG = 256;

  private static final int IDLE_WORKER_SECONDS = 10;

  /** How long nothing is accepted after it could not be, for want of descriptors mostly. */
  private static final long PAUSE_MILLIS = 500;

  private final ServerSocketChannel listener;
  private final Selector selector;
  private final SelectionKey accepting;
  private final Handler handler;
  private final Limits limits;
  private final ThreadPoolExecutor workers;
  private final Set<Connection> open = new LinkedHashSet<>();
  private final Deque<Connection> forWorkers = new ArrayDeque<>();
  private final Queue<Connection> answered = new ConcurrentLinkedQueue<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(16 << 10);
  private final CountDownLatch ended = new CountDownLatch(1);
  private long pausedUntilNanos;
  private boolean paused;

  /** When what is being answered is broken off; means something once the listener is closed. */
  private volatile long stopNanos;

  private HttpServer(
      ServerSocketChannel listener,
      Selector selector,
      Handler handler,
      Limits limits,
      String threads)
      throws IOException {
    this.listener = listener;
    this.selector = selector;
    this.handler = handler;
    this.limits = limits;
    listener.configureBlocking(false);
    accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
    AtomicInteger number = new AtomicInteger();
    workers =
        new ThreadPoolExecutor(
            limits.workers(),
            limits.workers(),
            IDLE_WORKER_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(limits.connections()),
            task -> daemon(task, threads + "-" + number.incrementAndGet()));
    workers.allowCoreThreadTimeOut(true);
  }

  /**
   * Listens; what comes is served once a thread does {@link #run}, or one {@link #round} after the
   * other. The threads of its workers are daemons.
   *
   * @param threads what they are called
   * @throws IOException when the address cannot be listened on
   */
  public static HttpServer open(
      InetSocketAddress address, Handler handler, Limits limits, String threads)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException("there is no such host");
    }
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(address, BACKLOG);
      Selector selector = Selector.open();
      try {
        return new HttpServer(listener, selector, handler, limits, threads);
      } catch (Throwable e) {
        selector.close();
        throw e;
      }
    } catch (Throwable e) {
      listener.close();
      throw e;
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  /** The port on which it listens. */
  public int port() {
    return listener.socket().getLocalPort();
  }

  /** Ends it; what is being answered is broken off. */
  public void stop() throws IOException {
    stop(0);
  }

  /**
   * Ends it, and waits for that: nothing more is accepted, and what is being answered is broken off
   * once its time is over.
   *
   * @param millis how long what is being answered may take
   */
  public void stop(int millis) throws IOException {
    stopNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    listener.close();
    selector.wakeup();
    try {
      if (!ended.await(millis, TimeUnit.MILLISECONDS)) {
        selector.close();
      }
    } catch (InterruptedException e) {
      selector.close();
      Thread.currentThread().interrupt();
    }
  }

  /** Serves until it is stopped. */
  public void run() {
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = round();
      } catch (Throwable e) {
        handler.failed(e);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }
  }

  /**
   * Waits for something to do, and does it.
   *
   * @return whether there may be more to do: false once it is stopped
   */
  public boolean round() throws IOException {
    if (goesOn()) {
      try {
        selector.select(this::advance, millisToWait());
        // An interrupt would end each wait at once from now on.
        Thread.interrupted();
        takeBack();
        expire();
        resume();
        dispatch();
        return true;
      } catch (Throwable e) {
        if (goesOn()) {
          throw e;
        }
      }
    }
    workers.shutdownNow();
    new ArrayList<>(open).forEach(this::drop);
    selector.close();
    ended.countDown();
    return false;
  }

  /** Whether it is not stopped, or something is being answered that has time left. */
  private boolean goesOn() {
    if (listener.isOpen()) {
      return true;
    }
    boolean isAnswering = false;
    for (Connection connection : open) {
      isAnswering |= connection.isAnswering();
    }
    return isAnswering && selector.isOpen() && System.nanoTime() - stopNanos < 0;
  }

  private void advance(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    Object attached = key.attachment();
    if (attached == null) {
      accept();
      return;
    }
    Connection connection = (Connection) attached;
    boolean stays = false;
    try {
      stays = connection.advance(key, buffer);
      if (stays && connection.isWorking()) {
        forWorkers.add(connection);
      }
    } catch (IOException e) {
      // The client is gone.
      stays = false;
    } catch (Throwable e) {
      stays = false;
      handler.failed(e);
    } finally {
      if (!stays) {
        drop(connection);
      }
    }
  }

  /**
   * Accepts what there is room for, and one where another gives way: the descriptor of that one is
   * free only after the next select.
   */
  private void accept() {
    boolean free = true;
    while (free) {
      free = open.size() < limits.connections();
      free &= acceptOne();
    }
  }

  /** Whether there was one, and it stays. */
  private boolean acceptOne() {
    SocketChannel channel = null;
    Connection connection = null;
    try {
      channel = listener.accept();
      if (channel == null || !makeRoom()) {
        return false;
      }
      connection = new Connection(channel, handler, limits);
      open.add(connection);
      connection.register(selector);
      channel = null;
      return true;
    } catch (Throwable e) {
      // Out of descriptors or memory: the next would fail too.
      pause(e);
      return false;
    } finally {
      close(channel);
      if (channel != null && connection != null) {
        open.remove(connection);
      }
    }
  }

  private boolean makeRoom() {
    if (open.size() < limits.connections()) {
      return true;
    }
    for (Connection oldest : open) {
      if (!oldest.isWorking()) {
        drop(oldest);
        return true;
      }
    }
    return false;
  }

  private void pause(Throwable e) {
    if (accepting.isValid()) {
      accepting.interestOps(0);
    }
    paused = true;
    pausedUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    handler.failed(e);
  }

  private void resume() {
    if (paused && accepting.isValid() && System.nanoTime() - pausedUntilNanos >= 0) {
      paused = false;
      accepting.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  /**
   * Gives workers what waits for them. Not sooner than this: a connection comes back only after
   * another select, since a selector forgets a channel only then.
   */
  private void dispatch() {
    for (Connection next = forWorkers.poll(); next != null; next = forWorkers.poll()) {
      Connection connection = next;
      boolean taken = false;
      try {
        workers.execute(() -> work(connection));
        taken = true;
      } catch (RejectedExecutionException e) {
        // Connections that were closed meanwhile still wait for a worker.
      } finally {
        if (!taken) {
          drop(connection);
        }
      }
    }
  }

  private void work(Connection connection) {
    try {
      connection.work();
      answered.add(connection);
      selector.wakeup();
    } catch (Throwable e) {
      // The connection is closed when its time is over.
      handler.failed(e);
    }
  }

  private void takeBack() {
    for (Connection next = answered.poll(); next != null; next = answered.poll()) {
      boolean stays = false;
      try {
        stays = next.takeBack(selector);
      } catch (IOException e) {
        // The client is gone.
      } finally {
        if (!stays) {
          drop(next);
        }
      }
    }
  }

  private void expire() {
    long now = System.nanoTime();
    for (Connection connection : new ArrayList<>(open)) {
      if (now - connection.deadlineNanos() >= 0) {
        drop(connection);
      }
    }
  }

  /** Milliseconds until something is to be closed; 0, which is for ever, if nothing is. */
  private long millisToWait() {
    long now = System.nanoTime();
    long least = paused ? pausedUntilNanos - now : Long.MAX_VALUE;
    least = listener.isOpen() ? least : Math.min(least, stopNanos - now);
    for (Connection connection : open) {
      least = Math.min(least, connection.deadlineNanos() - now);
    }
    return least == Long.MAX_VALUE
        ? 0
        : Math.max(1, TimeUnit.NANOSECONDS.toMillis(Math.max(0, least)) + 1);
  }

  private void drop(Connection connection) {
    open.remove(connection);
    try {
      connection.drop();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }

  private static void close(@Nullable SocketChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
