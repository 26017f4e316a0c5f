package org.buftrail.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.UUID;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.buftrail.jfr.dataset.DatasetLayout;

/** Writes files whole or not at all. */
final class WholeFiles {
  /** Writes the content of a file. */
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  private WholeFiles() {}

  /** Writes a file; one of that name stays until the new one is whole. */
  static void write(FileSystem system, Path file, Content content) throws IOException {
    write(system, file, content, WholeFiles::move);
  }

  /** Writes a file, unless another program writes the same just now: then that is kept. */
  static void writeNew(FileSystem system, Path file, Content content) throws IOException {
    write(system, file, content, WholeFiles::moveNew);
  }

  /** Puts a file in its place. */
  private interface Move {
    void move(FileSystem system, Path from, Path to) throws IOException;
  }

  private static void write(FileSystem system, Path file, Content content, Move mover)
      throws IOException {
    Path part = new Path(file.getParent(), DatasetLayout.PART + UUID.randomUUID());
    try {
      try (OutputStream out = system.create(part, true)) {
        content.write(out);
      }
      mover.move(system, part, file);
    } finally {
      // The partial file exists only after a failure.
      system.delete(part, false);
      dropSum(system, part);
    }
  }

  /** Puts a file in its place, which may be taken: some systems say so, some throw. */
  static void move(FileSystem system, Path from, Path to) throws IOException {
    system.mkdirs(to.getParent());
    if (!rename(system, from, to)) {
      system.delete(to, false);
      if (!rename(system, from, to)) {
        throw new IOException("cannot write " + to);
      }
    }
    dropSum(system, to);
  }

  private static void moveNew(FileSystem system, Path from, Path to) throws IOException {
    if (!rename(system, from, to) && !system.exists(to)) {
      throw new IOException("cannot write " + to);
    }
    dropSum(system, to);
  }

  private static boolean rename(FileSystem system, Path from, Path to) throws IOException {
    try {
      return system.rename(from, to);
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** Hadoop keeps sums beside local files, which others do not understand. */
  private static void dropSum(FileSystem system, Path file) throws IOException {
    if (system instanceof ChecksumFileSystem summed) {
      system.delete(summed.getChecksumFile(file), false);
    }
  }
}
