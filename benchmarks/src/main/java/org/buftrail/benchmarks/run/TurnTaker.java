package org.buftrail.benchmarks.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/** Waits in a fork for its turn before an iteration, and ends it afterwards. */
public final class TurnTaker implements InternalProfiler {
  private final int port;
  private final int fork;
  private @Nullable Socket turn;

  /** Called by JMH with what {@link Turns#place} says. */
  public TurnTaker(String place) {
    String[] parts = place.split(":", -1);
    this.port = Integer.parseInt(parts[0]);
    this.fork = Integer.parseInt(parts[1]);
  }

  @Override
  public String getDescription() {
    return "takes turns with the other arms";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    take();
  }

  void take() {
    try {
      Socket socket = new Socket();
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.getOutputStream().write(fork);
      if (socket.getInputStream().read() != Turns.GO) {
        throw new IllegalStateException("the run that this fork is of has ended");
      }
      turn = socket;
    } catch (IOException e) {
      throw new IllegalStateException("the run that this fork is of has ended", e);
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    pass();
    return List.of();
  }

  void pass() {
    Socket mine = turn;
    turn = null;
    if (mine != null) {
      try {
        mine.close();
      } catch (IOException e) {
        // Then it has ended.
      }
    }
  }
}
