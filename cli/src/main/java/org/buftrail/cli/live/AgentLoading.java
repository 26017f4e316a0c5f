package org.buftrail.cli.live;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.UUID;
import org.buftrail.console.output.Exit;

/**
 * Has a running JVM of this machine and user load the agent, and hears what the agent says to it.
 *
 * <p>The argument begins with {@code reply=NONCE;}, and the agent leaves {@code NONCE CODE TEXT} in
 * a system property of its JVM; without the nonce, an answer to somebody else could be taken for
 * ours.
 */
public final class AgentLoading {
  /** Where the agent leaves its answers. */
  static final String REPLY_PROPERTY = "buftrail.reply";

  /** What the jar answers too where it is loaded into a JVM without an agent. */
  static final String NO_AGENT = "does not run the agent";

  private AgentLoading() {}

  /**
   * What the agent answers.
   *
   * @param code 0 done, 1 failed, 2 the options are wrong
   * @param text one line
   */
  public record Reply(int code, String text) {}

  /**
   * Loads the agent, or asks the one that is there already.
   *
   * @param options the agent's options, or {@code detach}
   * @throws IOException saying in one line why the JVM cannot be reached
   */
  public static Reply load(long pid, String options) throws IOException {
    return load(pid, options, false);
  }

  /**
   * Asks a JVM what it says of its own memory, with the agent in it or without, over the same
   * socket.
   *
   * @return properties, packed
   * @throws IOException saying in one line why the JVM cannot be reached or gives no answer
   */
  public static String memory(long pid) throws IOException {
    Reply reply = load(pid, "ask=memory", false);
    if (reply.code() != Exit.DONE) {
      throw new IOException("process " + pid + ": " + reply.text());
    }
    return reply.text();
  }

  /**
   * The system properties of a JVM.
   *
   * @throws IOException saying in one line why the JVM cannot be reached
   */
  public static Properties properties(long pid) throws IOException {
    VirtualMachine machine = Attachable.attach(pid);
    try {
      return machine.getSystemProperties();
    } finally {
      detach(machine);
    }
  }

  /**
   * Asks an agent that runs.
   *
   * @param question what it is asked
   * @throws IOException saying in one line why the JVM cannot be reached
   */
  static Reply ask(long pid, String question) throws IOException {
    return load(pid, "ask=" + question, true);
  }

  private static Reply load(long pid, String options, boolean isAsked) throws IOException {
    VirtualMachine machine = Attachable.attach(pid);
    try {
      Path threads = Path.of("/proc", Long.toString(pid), "task");
      if (isAsked && Files.isDirectory(threads) && !Jvm.hasAgent(threads)) {
        // Nothing is loaded to find that out, where the system says it.
        return new Reply(1, NO_AGENT);
      }
      String nonce = UUID.randomUUID().toString();
      String given = "reply=" + nonce + ";" + options;
      return reply(pid, answer(pid, machine, OwnJar.path().toString(), given), nonce);
    } finally {
      detach(machine);
    }
  }

  private static String answer(long pid, VirtualMachine machine, String jar, String given)
      throws IOException {
    try {
      machine.loadAgent(jar, given);
      return machine.getSystemProperties().getProperty(REPLY_PROPERTY, "");
    } catch (AgentLoadException e) {
      throw new IOException(
          "process "
              + pid
              + " lets nobody load an agent ("
              + Attachable.firstLine(e)
              + "); where it runs with the agent already, look at its page (http=) or its"
              + " management bean",
          e);
    } catch (AgentInitializationException e) {
      throw new IOException(
          "the agent did not start in process " + pid + ": " + Attachable.firstLine(e), e);
    } catch (IOException e) {
      throw new IOException(
          "process "
              + pid
              + (ProcessState.hasEnded(pid) ? " has ended" : " gave no answer")
              + " while the agent was started ("
              + Attachable.firstLine(e)
              + ")",
          e);
    }
  }

  /** An answer that was read counts, even if the process has ended. */
  private static void detach(VirtualMachine machine) {
    try {
      machine.detach();
    } catch (IOException e) {
      // Then there is nothing to detach from.
    }
  }

  private static Reply reply(long pid, String text, String nonce) throws IOException {
    String[] parts = text.split(" ", 3);
    if (parts.length < 3 || !parts[0].equals(nonce) || !parts[1].matches("[0-2]")) {
      throw new IOException(
          "the agent in process " + pid + " gave no answer; it may be of another version");
    }
    return new Reply(Integer.parseInt(parts[1]), parts[2]);
  }
}
