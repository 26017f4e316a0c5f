package org.buftrail.cli.live;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.Closeable;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * The agent in another JVM of this machine and user, reached through its management bean.
 *
 * <p>Attaching starts that JVM's local connector, which accepts nobody from other hosts. Used by
 * one thread.
 */
public final class RunningAgent implements Closeable {
  private static final String BEAN = "org.buftrail:type=FlowTracker";
  private static final int MAX_LISTED = 10;

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
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new IOException("there is no process " + pid + others());
    }
    if (!Attachable.is(pid)) {
      throw new IOException("process " + pid + " is no JVM of this user" + others());
    }
    try {
      RunningAgent agent = new RunningAgent(pid, connect(address(pid)));
      if (!agent.server.isRegistered(agent.bean)) {
        agent.close();
        throw new IOException(
            "process "
                + pid
                + " does not run the agent, or with jmx=false; start it with"
                + " -javaagent:buftrail.jar");
      }
      return agent;
    } catch (JMException e) {
      throw new IOException("process " + pid + " gives no answer: " + e.getMessage(), e);
    }
  }

  /**
   * The address is the local connector's, given by the JVM itself: nothing is looked up by name.
   */
  @SuppressWarnings("BanJNDI")
  private static JMXConnector connect(String address) throws IOException {
    return JMXConnectorFactory.connect(new JMXServiceURL(address));
  }

  private static String address(long pid) throws IOException {
    VirtualMachine machine;
    try {
      machine = VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException | IOException e) {
      throw new IOException(
          "cannot attach to process "
              + pid
              + ": it is another user's, or forbids it ("
              + firstLine(e)
              + ")",
          e);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          System.getProperty("java.home") + " lacks the module jdk.attach; use a full JDK", e);
    }
    try {
      return machine.startLocalManagementAgent();
    } catch (IOException e) {
      throw new IOException(
          "process "
              + pid
              + " cannot be reached: its JVM lacks the module jdk.management.agent ("
              + firstLine(e)
              + ")",
          e);
    } finally {
      machine.detach();
    }
  }

  /** {@code ; Java processes: 12 Main, 34 app.jar}. */
  private static String others() {
    StringBuilder text = new StringBuilder();
    int listed = 0;
    for (VirtualMachineDescriptor other : VirtualMachine.list()) {
      boolean self = other.id().equals(Long.toString(ProcessHandle.current().pid()));
      if (!self && listed++ < MAX_LISTED) {
        String name = other.displayName().split(" ", 2)[0];
        text.append(text.isEmpty() ? "; Java processes: " : ", ").append(other.id());
        text.append(name.isEmpty() ? "" : " " + name);
      }
    }
    return text.isEmpty() ? "; there is no other Java process of this user" : text.toString();
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
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
   * Lets the agent count from 0 again.
   *
   * @throws IOException when the process has ended
   */
  public void reset() throws IOException {
    invoke("reset", new Object[0]);
  }

  private @Nullable Object invoke(String operation, Object[] arguments, String... signature)
      throws IOException {
    try {
      return server.invoke(bean, operation, arguments, signature);
    } catch (JMException | RuntimeMBeanException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("process " + pid + ": " + cause.getMessage(), e);
    } catch (IOException e) {
      throw new IOException("process " + pid + " has ended or gives no answer", e);
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
