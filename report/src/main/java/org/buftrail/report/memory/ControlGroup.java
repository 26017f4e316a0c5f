package org.buftrail.report.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A control group that a process is in: its own, or one around that. Each bounds the memory of the
 * process. Linux, version 1 and 2 of control groups. Immutable; what it says is read when asked.
 */
public final class ControlGroup {
  /** In place of an amount that is not known, or of no limit. */
  public static final long NONE = -1;

  /** No process runs with less. */
  private static final long LEAST = 1 << 16;

  /** What stands for no limit is larger. */
  private static final long MOST = 1L << 60;

  private static final int MAX_BYTES = 1 << 16;

  private static final String LIMIT = "memory.max";
  private static final String LIMIT_1 = "memory.limit_in_bytes";

  private final Path folder;
  private final boolean first;

  private ControlGroup(Path folder, boolean first) {
    this.folder = folder;
    this.first = first;
  }

  /**
   * Those of a process, its own first.
   *
   * @param mounted where control groups are
   * @param membership says in which the process is
   */
  public static List<ControlGroup> of(Path mounted, Path membership) {
    Path older = mounted.resolve("memory");
    String own = "";
    String ownOlder = "";
    for (String line : text(membership).split("\n", -1)) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && parts[2].startsWith("/")) {
        own = parts[1].isEmpty() ? parts[2].substring(1) : own;
        ownOlder = parts[1].equals("memory") ? parts[2].substring(1) : ownOlder;
      }
    }
    List<ControlGroup> groups = around(mounted, own, LIMIT, false);
    return groups.isEmpty() ? around(older, ownOlder, LIMIT_1, true) : groups;
  }

  /** From inside a container its own group is the root, whatever its name is outside. */
  private static List<ControlGroup> around(Path root, String own, String limit, boolean first) {
    List<ControlGroup> groups = new ArrayList<>();
    Path within = root.resolve(own).normalize();
    Path folder = within.startsWith(root) && Files.isDirectory(within) ? within : root;
    while (folder != null && folder.startsWith(root)) {
      if (Files.exists(folder.resolve(limit))) {
        groups.add(new ControlGroup(folder, first));
      }
      folder = folder.getParent();
    }
    return groups;
  }

  /** The most bytes that its processes may have, or {@link #NONE}. */
  public long limit() {
    long limit = number(first ? LIMIT_1 : LIMIT);
    return limit < LEAST || limit >= MOST ? NONE : limit;
  }

  /** The bytes that its processes have, with files that the kernel caches; or {@link #NONE}. */
  public long used() {
    return number(first ? "memory.usage_in_bytes" : "memory.current");
  }

  /** Of these, what the kernel gives back before it kills a process. */
  public long cached() {
    // Version 1 has the same name for the group alone, without those in it.
    String name = first ? "total_inactive_file " : "inactive_file ";
    for (String line : text(folder.resolve("memory.stat")).split("\n", -1)) {
      if (line.startsWith(name)) {
        return Math.max(0, parsed(line.substring(name.length())));
      }
    }
    return 0;
  }

  private long number(String file) {
    return parsed(text(folder.resolve(file)));
  }

  /** {@link #NONE} for what is no number, as the word for no limit is. */
  private static long parsed(String text) {
    String number = text.trim();
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : NONE;
  }

  /** Empty where it cannot be read. */
  private static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }
}
