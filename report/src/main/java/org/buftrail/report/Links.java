package org.buftrail.report;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Follows symbolic links, but none that another user may have planted: a link in a sticky directory
 * that everybody may write to, such as {@code /tmp}, must belong to this user or to the directory's
 * owner. Linux has the same rule where {@code fs.protected_symlinks} is set.
 */
final class Links {
  private static final int MAX_LINKS = 40;
  private static final int STICKY_FOR_ALL = 01002;

  private Links() {}

  /**
   * The path without links.
   *
   * @param file need not exist
   * @throws IOException when a link is not to be followed
   */
  static Path resolve(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path current = absolute.getRoot();
    if (current == null) {
      return absolute;
    }
    Deque<Path> names = new ArrayDeque<>();
    for (Path name : absolute) {
      names.add(name);
    }
    int links = 0;
    while (!names.isEmpty()) {
      Path next = current.resolve(names.remove()).normalize();
      if (!Files.isSymbolicLink(next)) {
        current = next;
        continue;
      }
      if (++links > MAX_LINKS) {
        throw new FileSystemException(file.toString(), null, "too many links");
      }
      checkOwner(next);
      Path to = Files.readSymbolicLink(next);
      Path root = to.getRoot();
      current = root == null ? current : root;
      for (int i = to.getNameCount() - 1; i >= 0; i--) {
        names.addFirst(to.getName(i));
      }
    }
    return current;
  }

  /**
   * Checks whose a link, device or pipe is that stands in a directory for all.
   *
   * @throws IOException when it is another user's
   */
  static void checkOwner(Path entry) throws IOException {
    Path directory = entry.getParent();
    Integer mode = attribute(directory, "unix:mode");
    if (directory == null || mode == null || (mode & STICKY_FOR_ALL) != STICKY_FOR_ALL) {
      return;
    }
    Integer owner = attribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != null
        && !owner.equals(attribute(directory, "unix:uid"))
        && !owner.equals(self(entry))) {
      throw new FileSystemException(
          entry.toString(),
          null,
          entry + " is another user's, in a directory that everybody may write to");
    }
  }

  /**
   * Checks that a directory is this user's or root's: another could put other files in place of
   * those that are written there.
   *
   * @throws IOException when it is another user's
   */
  static void checkDirectory(Path directory) throws IOException {
    Integer owner = attribute(directory, "unix:uid");
    Integer self = self(directory);
    if (owner != null && self != null && owner != 0 && !owner.equals(self)) {
      throw new FileSystemException(directory.toString(), null, "belongs to another user");
    }
  }

  /** This process's user; null where the system does not say. */
  private static @Nullable Integer self(Path any) {
    return attribute(any.resolve("/proc/self"), "unix:uid");
  }

  /** Null where the file system has no such thing. */
  private static @Nullable Integer attribute(
      @Nullable Path path, String name, LinkOption... options) {
    if (path == null) {
      return null;
    }
    try {
      Object value = Files.getAttribute(path, name, options);
      return value instanceof Integer ? (Integer) value : null;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }
}
