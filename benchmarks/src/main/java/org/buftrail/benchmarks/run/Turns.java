package org.buftrail.benchmarks.run;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Lets forks that are alive at the same time measure one iteration each in turn.
 *
 * <p>A machine that others use too alternates between speeds within seconds. Iterations of all arms
 * that follow one another have the speed in common; whole forks that do, have not.
 *
 * <p>For each iteration a fork connects, says which it is, and waits for a byte; it has its turn
 * until it closes the connection or dies. A turn is given only while all forks wait for one, so
 * that none is measured beside a JVM that starts.
 */
final class Turns implements Closeable {
  /** What a fork is sent when it is its turn. */
  static final int GO = 1;

  private static final int POLL_MILLIS = 50;
  private static final int HELLO_MILLIS = 5_000;

  private final ServerSocket server;

  Turns() throws IOException {
    server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    server.setSoTimeout(POLL_MILLIS);
  }

  /** What {@link TurnTaker} needs to know in the fork of a number. */
  String place(int fork) {
    return server.getLocalPort() + ":" + fork;
  }

  /**
   * Gives turns until the forks are through or one has failed. What is closed then fails the others
   * at their next iteration.
   */
  void give(List<? extends Future<?>> forks) throws IOException {
    @Nullable Socket[] waiting = new Socket[forks.size()];
    int last = -1;
    try {
      while (isAnyRunning(forks) && forks.stream().noneMatch(Turns::hasFailed)) {
        accept(waiting);
        if (allWait(forks, waiting)) {
          last = next(waiting, last);
          Socket fork = waiting[last];
          waiting[last] = null;
          if (fork != null) {
            give(fork);
          }
        }
      }
    } finally {
      for (Socket fork : waiting) {
        if (fork != null) {
          fork.close();
        }
      }
    }
  }

  private static boolean hasFailed(Future<?> fork) {
    if (!fork.isDone()) {
      return false;
    }
    try {
      fork.get();
      return false;
    } catch (ExecutionException | CancellationException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static boolean isAnyRunning(List<? extends Future<?>> forks) {
    return forks.stream().anyMatch(fork -> !fork.isDone());
  }

  private void accept(@Nullable Socket[] waiting) throws IOException {
    try {
      add(server.accept(), waiting);
    } catch (SocketTimeoutException e) {
      // Time to look which are through.
    }
  }

  private static void add(Socket fork, @Nullable Socket[] waiting) throws IOException {
    int number = -1;
    try {
      fork.setSoTimeout(HELLO_MILLIS);
      number = fork.getInputStream().read();
      fork.setSoTimeout(0);
    } catch (IOException e) {
      // The waiting party is no fork.
    }
    if (number < 0 || number >= waiting.length) {
      fork.close();
    } else {
      waiting[number] = fork;
    }
  }

  private static boolean allWait(List<? extends Future<?>> forks, @Nullable Socket[] waiting) {
    boolean any = false;
    for (int i = 0; i < waiting.length; i++) {
      if (waiting[i] == null && !forks.get(i).isDone()) {
        return false;
      }
      any |= waiting[i] != null;
    }
    return any;
  }

  private static int next(@Nullable Socket[] waiting, int last) {
    int next = last;
    do {
      next = (next + 1) % waiting.length;
    } while (waiting[next] == null);
    return next;
  }

  private static void give(Socket fork) {
    try (fork) {
      fork.getOutputStream().write(GO);
      // Ends when the fork closes its side, or dies, of which its future tells.
      fork.getInputStream().read();
    } catch (IOException e) {
      // The same.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
