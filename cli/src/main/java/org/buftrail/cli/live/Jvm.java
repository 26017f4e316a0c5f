package org.buftrail.cli.live;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of this machine and user, as far as is known without loading anything into it.
 *
 * @param pid of its process
 * @param name of its main class or jar, perhaps empty
 * @param hasAgent whether the agent's threads run in it, as far as Linux shows
 * @param netty the version of the Netty whose jar is open in it, or null
 * @param directBytes direct memory in use, or {@link #UNKNOWN}
 * @param residentBytes memory of the process in RAM, or {@link #UNKNOWN}
 */
public record Jvm(
    long pid,
    String name,
    boolean hasAgent,
    @Nullable String netty,
    long directBytes,
    long residentBytes) {
  /** In place of a number of bytes. */
  public static final long UNKNOWN = -1;

  private static final String AGENT_THREADS = "buftrail-";

  /** All but this one, those with Netty first. */
  public static List<Jvm> all() {
    long self = ProcessHandle.current().pid();
    List<Jvm> found = new ArrayList<>();
    for (VirtualMachineDescriptor each : VirtualMachine.list()) {
      if (each.id().matches("\\d{1,18}") && Long.parseLong(each.id()) != self) {
        found.add(of(Long.parseLong(each.id()), each.displayName()));
      }
    }
    found.sort(
        Comparator.comparing((Jvm jvm) -> jvm.netty == null).thenComparingLong(jvm -> jvm.pid));
    return found;
  }

  private static Jvm of(long pid, String command) {
    Path process = Path.of("/proc", Long.toString(pid));
    String netty = NettyVersion.of(process.resolve("fd"));
    long direct = netty == null ? UNKNOWN : DirectMemory.of(pid);
    return new Jvm(
        pid,
        shorten(command),
        hasAgent(process.resolve("task")),
        netty,
        direct,
        resident(process.resolve("status")));
  }

  /** Linux keeps the first 15 characters of a thread's name. */
  public static boolean hasAgent(Path threads) {
    try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
      for (Path thread : each) {
        if (Files.readString(thread.resolve("comm")).startsWith(AGENT_THREADS)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The process or a thread has ended, or this is no Linux.
    }
    return false;
  }

  /** The main class, or the jar's name without its directory. */
  static String shorten(String command) {
    String first = command.trim().split(" ", 2)[0];
    return first.substring(first.lastIndexOf('/') + 1);
  }

  private static long resident(Path status) {
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // The process has ended, or this is no Linux.
    }
    return UNKNOWN;
  }
}
