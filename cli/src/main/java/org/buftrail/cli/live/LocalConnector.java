package org.buftrail.cli.live;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The local connector of another JVM of this machine and user, which attaching starts. */
public final class LocalConnector {
  private LocalConnector() {}

  /**
   * Connects to it.
   *
   * <p>The address is given by the JVM itself: nothing is looked up by name.
   *
   * @throws IOException saying in one line why that is not possible and what to do
   */
  @SuppressWarnings("BanJNDI")
  public static JMXConnector connect(long pid) throws IOException {
    String address = address(pid);
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(address));
    } catch (IOException e) {
      throw new IOException(unanswered(pid, e), e);
    }
  }

  /** What a failed question means. */
  static String unanswered(long pid, IOException e) {
    return ProcessState.hasEnded(pid)
        ? "process " + pid + " has ended"
        : "process " + pid + " gives no answer (" + Attachable.firstLine(e) + ")";
  }

  private static String address(long pid) throws IOException {
    VirtualMachine machine = Attachable.attach(pid);
    try {
      return machine.startLocalManagementAgent();
    } catch (IOException e) {
      if (ProcessState.hasEnded(pid)) {
        throw new IOException("process " + pid + " has ended", e);
      }
      throw new IOException(
          "process "
              + pid
              + " cannot be reached: its JVM lacks the module jdk.management.agent ("
              + Attachable.firstLine(e)
              + ")",
          e);
    } finally {
      machine.detach();
    }
  }
}
