package org.buftrail.cli.live;

import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.buftrail.console.output.Exit;
import org.jspecify.annotations.Nullable;

/**
 * The agent in another JVM of this machine and user, asked over the socket by which one attaches to
 * a JVM: nothing listens in the application, then or later.
 *
 * <p>Each question loads the agent's jar once more, which the JVM notes for each (some 10 KB). Used
 * by one thread.
 */
public final class RunningAgent {
  /** How much later than asked for a snapshot may be, where the process is busy. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(50);

  private final long pid;

  /** The name under which the process leaves snapshots; null before the first. */
  private @Nullable String nonce;

  private int number;

  /** Nothing is asked yet. */
  public RunningAgent(long pid) {
    this.pid = pid;
  }

  /**
   * A fresh snapshot.
   *
   * @param format a file ending that reports may have, such as {@code json}
   * @throws IOException when the process has ended, has no agent, or cannot make it
   */
  public byte[] render(String format) throws IOException {
    return unpacked(ask("render " + format));
  }

  /**
   * The next of the snapshots that the process makes at an interval, as JSON; the first at once.
   *
   * @param seconds the interval, the same each time
   * @param now whether it is not to be waited for
   * @throws IOException when the process has ended, has no agent, or cannot make it
   */
  public byte[] next(int seconds, boolean now) throws IOException {
    String following = nonce;
    String left = following == null || now ? null : left(following, seconds);
    if (left == null) {
      nonce = UUID.randomUUID().toString();
      number = 0;
      long self = ProcessHandle.current().pid();
      left = ask("follow " + nonce + " " + seconds + " " + self);
    }
    return unpacked(left);
  }

  /** Null where the process makes no further ones. */
  private @Nullable String left(String following, int seconds) throws IOException {
    long until = System.nanoTime() + Duration.ofSeconds(seconds).plus(PATIENCE).toNanos();
    while (System.nanoTime() - until < 0) {
      String[] parts = property().split(" ", 3);
      if (parts.length == 3 && parts[0].equals(following) && Integer.parseInt(parts[1]) > number) {
        number = Integer.parseInt(parts[1]);
        return parts[2];
      }
      try {
        Thread.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
    }
    return null;
  }

  private String property() throws IOException {
    VirtualMachine machine = Attachable.attach(pid);
    try {
      return machine.getSystemProperties().getProperty(AgentLoading.REPLY_PROPERTY, "");
    } finally {
      machine.detach();
    }
  }

  /**
   * Asks the JVM to collect.
   *
   * @return what that proved, in one line
   * @throws IOException when the process has ended or has no agent
   */
  public String collect() throws IOException {
    return ask("collect");
  }

  /**
   * Lets the agent count from 0 again.
   *
   * @throws IOException when the process has ended or has no agent
   */
  public void reset() throws IOException {
    ask("reset");
  }

  /**
   * Switches between following new buffers and not.
   *
   * @throws IOException when the process has ended or has no agent, or its agent is detached
   */
  public void setTracking(boolean tracking) throws IOException {
    ask(tracking ? "on" : "off");
  }

  private String ask(String question) throws IOException {
    AgentLoading.Reply reply = AgentLoading.ask(pid, question);
    if (reply.code() != Exit.DONE) {
      throw new IOException("process " + pid + ": " + hint(reply.text()));
    }
    return reply.text();
  }

  private String hint(String text) {
    return text.equals(AgentLoading.NO_AGENT)
        ? text
            + "; start it with -javaagent:buftrail.jar, or attach the agent with: buftrail attach "
            + pid
        : text;
  }

  private static byte[] unpacked(String text) throws IOException {
    byte[] packed = Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }
}
