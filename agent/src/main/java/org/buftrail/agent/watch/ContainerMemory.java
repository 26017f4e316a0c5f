package org.buftrail.agent.watch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How much of the memory of this process' control group is used. When all is, the kernel kills it.
 * What files in its cache take, the kernel gives back first, and is left out. Linux, version 1 and
 * 2 of control groups.
 */
public final class ContainerMemory {
  /** Hundredths of the limit from which on memory is nearly used up. */
  public static final int HIGH_PERCENT = 90;

  /** No process runs with less. */
  private static final long LEAST = 1 << 16;

  /** What stands for no limit is larger. */
  private static final long MOST = 1L << 60;

  private static final int MAX_LINE = 1 << 16;

  private final @Nullable Path limit;
  private final @Nullable Path used;
  private final @Nullable Path details;

  private ContainerMemory(@Nullable Path limit, @Nullable Path used, @Nullable Path details) {
    this.limit = limit;
    this.used = used;
    this.details = details;
  }

  /** Returns the memory of this process's container. */
  public static ContainerMemory ofThisProcess() {
    return in(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"));
  }

  /**
   * @param mounted where control groups are
   * @param membership says in which the process is
   */
  static ContainerMemory in(Path mounted, Path membership) {
    Path own = mounted;
    Path older = mounted.resolve("memory");
    for (String line : text(membership).split("\n", -1)) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && parts[2].startsWith("/")) {
        String group = parts[2].substring(1);
        if (parts[1].isEmpty() && Files.exists(mounted.resolve(group).resolve("memory.max"))) {
          own = mounted.resolve(group);
        } else if (parts[1].equals("memory") && Files.exists(older.resolve(group))) {
          older = older.resolve(group);
        }
      }
    }
    if (Files.exists(own.resolve("memory.max"))) {
      return new ContainerMemory(
          own.resolve("memory.max"), own.resolve("memory.current"), own.resolve("memory.stat"));
    }
    if (Files.exists(older.resolve("memory.limit_in_bytes"))) {
      return new ContainerMemory(
          older.resolve("memory.limit_in_bytes"),
          older.resolve("memory.usage_in_bytes"),
          older.resolve("memory.stat"));
    }
    return new ContainerMemory(null, null, null);
  }

  /** Hundredths of the limit that are used; 0 where there is no limit. */
  public int percent() {
    long most = number(limit);
    long now = number(used);
    if (most < LEAST || most >= MOST || now <= 0) {
      return 0;
    }
    long percent = now / (most / 100);
    return (int) (percent < HIGH_PERCENT ? percent : Math.max(0, now - cached()) / (most / 100));
  }

  private long cached() {
    if (details != null) {
      for (String line : text(details).split("\n", -1)) {
        // Version 1 has the same name with the group's children in it.
        if (line.startsWith("inactive_file ")) {
          return parsed(line.substring("inactive_file ".length()));
        }
      }
    }
    return 0;
  }

  private static long number(@Nullable Path file) {
    return file == null ? -1 : parsed(text(file));
  }

  /** -1 for what is no number, as the word for no limit is. */
  private static long parsed(String text) {
    String number = text.trim();
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : -1;
  }

  /** Empty where it cannot be read. */
  private static String text(Path file) {
    try {
      byte[] bytes = new byte[MAX_LINE];
      int size = 0;
      try (InputStream in = Files.newInputStream(file)) {
        size = in.readNBytes(bytes, 0, bytes.length);
      }
      return new String(bytes, 0, size, StandardCharsets.UTF_8);
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }
}
