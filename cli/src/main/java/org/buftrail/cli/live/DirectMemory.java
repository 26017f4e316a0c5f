package org.buftrail.cli.live;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.buftrail.report.memory.JvmFigures;

/**
 * The direct memory of another JVM, where its local management connector runs already.
 *
 * <p>The JVM writes the connector's address into its file of performance counters, so nothing is
 * started in it to find out. It counts what it allocated itself, which is no answer where Netty
 * calls {@code malloc}.
 */
public final class DirectMemory {
  private static final Pattern ADDRESS = Pattern.compile("service:jmx:[\\x21-\\x7e]+");
  private static final String POOL = "java.nio:type=BufferPool,name=direct";
  private static final int PATIENCE_SECONDS = 5;

  private DirectMemory() {}

  /** Bytes in use, or {@link Jvm#UNKNOWN}. */
  static long of(long pid) {
    if (ProcessState.isStopped(pid)) {
      return Jvm.UNKNOWN;
    }
    Path counters =
        Path.of(
            System.getProperty("java.io.tmpdir", ""),
            "hsperfdata_" + System.getProperty("user.name"),
            Long.toString(pid));
    CompletableFuture<Long> answer = new CompletableFuture<>();
    Thread asking = new Thread(() -> answer.complete(ask(counters)), "buftrail-ask-" + pid);
    // A process that is stopped meanwhile may never answer.
    asking.setDaemon(true);
    asking.start();
    try {
      return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Jvm.UNKNOWN;
    } catch (ExecutionException | TimeoutException e) {
      return Jvm.UNKNOWN;
    }
  }

  /** The address is given by the JVM itself: nothing is looked up by name. */
  @SuppressWarnings("BanJNDI")
  private static long ask(Path counters) {
    try {
      String text = new String(Files.readAllBytes(counters), StandardCharsets.ISO_8859_1);
      Matcher address = ADDRESS.matcher(text);
      if (!address.find()) {
        return Jvm.UNKNOWN;
      }
      JMXServiceURL url = new JMXServiceURL(address.group());
      try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
        MBeanServerConnection server = connector.getMBeanServerConnection();
        RuntimeMXBean runtime =
            ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
        if (!JvmFigures.isNettyCounted(runtime.getSpecVersion(), runtime.getSystemProperties())) {
          return Jvm.UNKNOWN;
        }
        String pool = new ObjectName(POOL).getCanonicalName();
        return ManagementFactory.newPlatformMXBeanProxy(server, pool, BufferPoolMXBean.class)
            .getMemoryUsed();
      }
    } catch (IOException | JMException | RuntimeException e) {
      return Jvm.UNKNOWN;
    }
  }
}
