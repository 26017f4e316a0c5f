package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.buftrail.profile.text.Printable;

/**
 * Which recordings have been taken, over a restart too: a line for each, with its content's hash,
 * its length, its time and its whole name, in which what would break the line is escaped. A line is
 * on the disk before the next recording is begun. Files that are gone keep their last 10,000 lines,
 * since one may come back by another name. A lock on a file beside it keeps other watchers from
 * writing it anew.
 */
final class Journal implements AutoCloseable {
  private static final int MOST_GONE = 10_000;
  private static final int PARTS = 4;

  /** Digits of a character that is escaped by its number. */
  private static final int HEX = 4;

  /** Length, time and name of what has been taken. */
  private final Set<String> done = new HashSet<>();

  /** The hashes of what has been taken. */
  private final Set<String> contents = new HashSet<>();

  /** The hashes of what is being taken. */
  private final Set<String> begun = new HashSet<>();

  private final FileChannel lock;
  private final FileChannel out;

  Journal(Path file) throws IOException {
    lock = open(file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE);
    try {
      if (!isLocked()) {
        throw new IOException(file + ": another watch keeps this journal; name one with --journal");
      }
      List<String> kept = Files.exists(file) ? read(file) : List.of();
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.deleteIfExists(part);
      try (FileChannel written = open(part, StandardOpenOption.CREATE_NEW)) {
        for (String line : kept) {
          write(line, written);
        }
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      out = open(file, StandardOpenOption.APPEND);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /** Opens a file that its owner alone may read, if it is made. */
  private static FileChannel open(Path file, OpenOption how) throws IOException {
    boolean hasModes = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] mode =
        hasModes
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return FileChannel.open(file, Set.of(StandardOpenOption.WRITE, how), mode);
  }

  private boolean isLocked() throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Reads whatever can be read: a crash may have left bytes of any kind. */
  private List<String> read(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    List<String> there = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] parts = line.split("\t", PARTS);
      if (parts.length < PARTS || parts[0].isEmpty()) {
        continue;
      }
      contents.add(parts[0]);
      String key = line.substring(parts[0].length() + 1);
      if (isAsItWas(key, parts[PARTS - 1])) {
        done.add(key);
        there.add(line);
      } else {
        gone.add(line);
      }
    }
    List<String> kept =
        new ArrayList<>(gone.subList(Math.max(0, gone.size() - MOST_GONE), gone.size()));
    kept.addAll(there);
    return kept;
  }

  private static boolean isAsItWas(String key, String name) {
    try {
      return key.equals(key(Path.of(unescaped(name))));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Identifies a file as it is now, by whatever name it is reached; empty if it is gone. */
  static String key(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.size()
          + "\t"
          + now.lastModifiedTime().toMillis()
          + "\t"
          + escaped(whole.toString());
    } catch (IOException e) {
      return "";
    }
  }

  private static String escaped(String name) {
    String marked = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    return Printable.line(marked);
  }

  private static String unescaped(String text) {
    StringBuilder name = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c = unescaped(text.charAt(i), text, i + 1);
        i += text.charAt(i) == 'u' ? HEX : 0;
      }
      name.append(c);
    }
    return name.toString();
  }

  /** What a letter stands for behind a backslash, or the digits that follow it. */
  private static char unescaped(char letter, String text, int next) {
    return switch (letter) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 'u' -> (char) code(text.substring(next, Math.min(next + HEX, text.length())));
      default -> letter;
    };
  }

  private static int code(String digits) {
    try {
      return Integer.parseInt(digits, 16);
    } catch (NumberFormatException e) {
      // A crash left it, or whoever; no file has this name.
      return 0;
    }
  }

  synchronized boolean contains(String key) {
    return done.contains(key);
  }

  /** Whether a recording of this content has been taken. */
  synchronized boolean hasContent(String content) {
    return contents.contains(content);
  }

  /** Begins with a content, unless another worker has; to be followed by {@link #end}. */
  synchronized boolean begin(String content) {
    return begun.add(content);
  }

  synchronized void end(String content) {
    begun.remove(content);
  }

  /** Notes that a file has been taken, or never will be. */
  synchronized void add(String key, String content) throws IOException {
    contents.add(content);
    if (done.add(key)) {
      write(content + "\t" + key, out);
      out.force(false);
    }
  }

  private static void write(String line, FileChannel to) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    try (lock) {
      out.close();
    }
  }
}
