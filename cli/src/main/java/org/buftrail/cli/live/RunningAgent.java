package org.buftrail.cli.live;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;

/**
 * The agent in another JVM of this machine and user, reached through its management bean.
 *
 * <p>Attaching starts that JVM's local connector, which accepts nobody from other hosts. Used by
 * one thread.
 */
public final class RunningAgent implements Closeable {
  private static final String BEAN = "org.buftrail:type=FlowTracker";

  /** The thread that registers the bean. */
  private static final String WATCH = "buftrail-watch";

  /** A snapshot that is being written may hold it up. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(20);

  private final long pid;
  private final JMXConnector connector;
  private final MBeanServerConnection server;
  private final ObjectName bean;

  private RunningAgent(long pid, JMXConnector connector) throws IOException, JMException {
    this.pid = pid;
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
    this.bean = new ObjectName(BEAN);
  }

  /**
   * Attaches to a JVM that runs the agent.
   *
   * @throws IOException saying in one line why that is not possible and what to do
   */
  public static RunningAgent attach(long pid) throws IOException {
    try {
      RunningAgent agent = new RunningAgent(pid, LocalConnector.connect(pid));
      if (!agent.isThere()) {
        agent.close();
        throw new IOException(
            "process "
                + pid
                + " does not run the agent, or with jmx=false; start it with"
                + " -javaagent:buftrail.jar, or attach the agent with: buftrail attach "
                + pid);
      }
      return agent;
    } catch (JMException e) {
      throw new IOException("process " + pid + " gives no answer: " + e.getMessage(), e);
    }
  }

  /**
   * Whether it has a bean. Where nobody asked for the server before, the agent registers it a
   * moment after the connector has made the server.
   */
  private boolean isThere() throws IOException, JMException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!server.isRegistered(bean)) {
      if (System.nanoTime() - until > 0 || !hasWatch()) {
        return false;
      }
      try {
        Thread.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
    }
    return true;
  }

  /** Whether that JVM has the agent's thread. */
  private boolean hasWatch() throws IOException {
    ThreadMXBean threads =
        ManagementFactory.newPlatformMXBeanProxy(
            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .anyMatch(thread -> thread != null && WATCH.equals(thread.getThreadName()));
  }

  /** The process. */
  public long pid() {
    return pid;
  }

  /**
   * A fresh snapshot.
   *
   * @param format a file ending that reports may have, such as {@code json}
   * @throws IOException when the process has ended, or cannot make it
   */
  public byte[] render(String format) throws IOException {
    Object[] arguments = {format};
    byte[] bytes = (byte[]) invoke("render", arguments, String.class.getName());
    if (bytes == null) {
      throw new IOException("process " + pid + " made no snapshot");
    }
    return bytes;
  }

  /**
   * Asks the JVM to collect.
   *
   * @return what that proved, in one line
   * @throws IOException when the process has ended
   */
  public String collect() throws IOException {
    CompositeData collected = (CompositeData) invoke("collect", new Object[0]);
    if (collected == null) {
      throw new IOException("process " + pid + " does not say what it collected");
    }
    return String.valueOf(collected.get("text"));
  }

  /**
   * Lets the agent count from 0 again.
   *
   * @throws IOException when the process has ended
   */
  public void reset() throws IOException {
    invoke("reset", new Object[0]);
  }

  /**
   * Switches between following new buffers and not.
   *
   * @throws IOException when the process has ended, or its agent is detached
   */
  public void setTracking(boolean tracking) throws IOException {
    ask(
        () -> {
          server.setAttribute(bean, new Attribute("Tracking", tracking));
          return null;
        });
  }

  /** Something asked of the bean. */
  private interface Question {
    @Nullable Object ask() throws JMException, IOException;
  }

  private @Nullable Object invoke(String operation, Object[] arguments, String... signature)
      throws IOException {
    return ask(() -> server.invoke(bean, operation, arguments, signature));
  }

  private @Nullable Object ask(Question question) throws IOException {
    try {
      return question.ask();
    } catch (JMException | RuntimeMBeanException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("process " + pid + ": " + cause.getMessage(), e);
    } catch (IOException e) {
      throw new IOException(LocalConnector.unanswered(pid, e), e);
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
