package org.buftrail.boot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Properties;
import java.util.zip.GZIPOutputStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM says of its own memory, for the command {@code memory}: read by its own beans, so
 * that nothing need listen for it.
 *
 * <pre>
 * pool.TYPE.NAME = used committed      answer.COMMAND = text
 * buffers.NAME = used                  flag.NAME = value
 * threads = count
 * </pre>
 */
final class JvmMemory {
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";
  private static final String DIAGNOSTICS = "com.sun.management:type=HotSpotDiagnostic";
  private static final String[] FLAGS = {"ThreadStackSize", "MaxHeapSize", "MaxDirectMemorySize"};

  private JvmMemory() {}

  /** All of it, as properties that are packed. */
  static String describe() throws IOException {
    Properties figures = new Properties();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getUsage();
      if (usage != null) {
        figures.setProperty(
            "pool." + pool.getType().name() + '.' + pool.getName(),
            usage.getUsed() + " " + usage.getCommitted());
      }
    }
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      figures.setProperty("buffers." + pool.getName(), Long.toString(pool.getMemoryUsed()));
    }
    figures.setProperty(
        "threads", Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount()));
    askHotSpot(figures);
    return packed(figures);
  }

  private static void askHotSpot(Properties figures) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    answer(server, "vmInfo", null, figures);
    answer(server, "vmMetaspace", "vslist", figures);
    answer(server, "vmNativeMemory", "summary", figures);
    for (String name : FLAGS) {
      try {
        Object flag =
            server.invoke(
                new ObjectName(DIAGNOSTICS),
                "getVMOption",
                new Object[] {name},
                new String[] {String.class.getName()});
        Object value = ((CompositeData) flag).get("value");
        figures.setProperty("flag." + name, String.valueOf(value));
      } catch (JMException | RuntimeException e) {
        // Another JVM has no such flag.
      }
    }
  }

  /** Leaves out what this JVM does not know. */
  private static void answer(
      MBeanServer server, String command, @Nullable String argument, Properties figures) {
    try {
      boolean isPlain = argument == null;
      Object answer =
          server.invoke(
              new ObjectName(COMMANDS),
              command,
              isPlain ? new Object[0] : new Object[] {new String[] {argument}},
              isPlain ? new String[0] : new String[] {String[].class.getName()});
      figures.setProperty("answer." + command, String.valueOf(answer));
    } catch (JMException | RuntimeException e) {
      // Another JVM has no such command.
    }
  }

  private static String packed(Properties figures) throws IOException {
    StringWriter text = new StringWriter();
    figures.store(text, null);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    return new String(Base64.getEncoder().encode(bytes.toByteArray()), StandardCharsets.ISO_8859_1);
  }
}
