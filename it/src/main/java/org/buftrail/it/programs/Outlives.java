package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/** Does what it reads, so that a test can attach and detach in between. */
public final class Outlives {
  /** How often each thing is done in one piece of work. */
  public static final int TIMES = 100;

  private static final StackWalker WALKER = StackWalker.getInstance();

  private static int handleIndex;

  /** What a pool lends. */
  public static final class Connection {}

  /** Lends what was given last, and makes a new one where all are out. */
  public static final class Pool {
    private final Deque<Connection> idle = new ArrayDeque<>();
    private int index;

    Connection take() {
      Connection last = idle.poll();
      return last == null ? new Connection() : last;
    }

    void give(Connection connection) {
      idle.push(connection);
      index = index();
    }
  }

  /** A carrier that nothing shows to be one: which of its buffers is it? */
  public static final class Crate {
    private final ByteBuf body;
    private final ByteBuf lid = Unpooled.EMPTY_BUFFER;

    Crate(ByteBuf body) {
      this.body = body;
    }
  }

  private Outlives() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, JMException {
    Pool pool = new Pool();
    Deque<Connection> out = new ArrayDeque<>();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Files.createFile(Path.of("ready"));
    int done = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      switch (line) {
        case "take":
          out.push(pool.take());
          break;
        case "give":
          pool.give(out.pop());
          break;
        case "work":
          work(pool);
          break;
        default:
          Files.write(Path.of(line), left(pool));
      }
      Files.createFile(Path.of("done" + done++));
    }
  }

  private static void work(Pool pool) throws IOException {
    for (int i = 0; i < TIMES; i++) {
      pool.give(pool.take());
      ByteBuf body = UnpooledByteBufAllocator.DEFAULT.heapBuffer(16);
      handle(new Crate(body));
      body.release();
      new FileInputStream("ready").close();
    }
    Throwable error = new OutOfMemoryError("made");
    if (!"made".equals(error.getMessage())) {
      throw new IllegalStateException(error);
    }
  }

  private static void handle(Crate crate) {
    handleIndex = index();
    if (crate.body.refCnt() != 1 || crate.lid.isReadable()) {
      throw new IllegalStateException("it is released");
    }
  }

  /** Where the caller's byte code calls this; further on where something was woven in before. */
  private static int index() {
    return WALKER.walk(frames -> frames.skip(1).findFirst().orElseThrow()).getByteCodeIndex();
  }

  /** What there is of the agent, a line each. */
  private static List<String> left(Pool pool) throws JMException {
    List<String> left = new ArrayList<>();
    left.add("index in give " + pool.index);
    left.add("index in handle " + handleIndex);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("buftrail")) {
        left.add("thread " + thread.getName() + (thread.isDaemon() ? "" : " keeps the JVM"));
      }
    }
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.contains("buftrail")) {
        left.add("property " + name);
      }
    }
    for (ObjectName name :
        ManagementFactory.getPlatformMBeanServer()
            .queryNames(new ObjectName("org.buftrail:*"), null)) {
      left.add("bean " + name);
    }
    left.add("alarms " + alarms());
    return left.stream().sorted().collect(Collectors.toList());
  }

  /** How many errors of want of memory the agent has noted. */
  private static int alarms() {
    try {
      Class<?> alarm = Class.forName("org.buftrail.flow.woven.MemoryAlarm", true, null);
      return (int) alarm.getMethod("count").invoke(null);
    } catch (ReflectiveOperationException e) {
      return 0;
    }
  }
}
