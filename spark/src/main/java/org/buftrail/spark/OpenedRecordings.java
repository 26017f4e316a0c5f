package org.buftrail.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.RowCursor;
import org.buftrail.jfr.RowReader;
import org.jspecify.annotations.Nullable;

/**
 * Opens recordings of any Hadoop file system, one at a time. Local files are read as they are;
 * others at positions if they are plain, and from a temporary copy if they are packed. A part of a
 * recording of the JDK costs little more than its bytes; one of async-profiler's, which says things
 * once that later chunks need, costs those before it too.
 */
final class OpenedRecordings {
  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

  private final Configuration configuration;
  private java.nio.file.@Nullable Path copy;

  OpenedRecordings(Configuration configuration) {
    this.configuration = configuration;
  }

  /** What rows call a recording: a local file by its path, others by their address. */
  static String name(String address) {
    Path path = new Path(address);
    return isLocal(path) ? path.toUri().getPath() : address;
  }

  private static boolean isLocal(Path path) {
    String scheme = path.toUri().getScheme();
    return scheme == null || scheme.equals("file");
  }

  RowCursor open(RowReader reader, RecordingSlice slice) throws IOException {
    String address = slice.path();
    Path path = new Path(address);
    String name = name(address);
    java.nio.file.Path called = java.nio.file.Path.of(path.getName());
    if (isLocal(path)) {
      java.nio.file.Path file = java.nio.file.Path.of(name);
      count(file, slice);
      return reader.open(name, file);
    }
    try {
      FileSystem system = path.getFileSystem(configuration);
      FileStatus status = system.getFileStatus(path);
      FSDataInputStream stream = system.open(path);
      boolean isHandedOn = false;
      try {
        if (isPlain(stream, status.getLen())) {
          isHandedOn = true;
          return reader.open(name, called, new HadoopChannel(stream, status.getLen()));
        }
        stream.seek(0);
        return reader.open(name, copied(stream));
      } finally {
        if (!isHandedOn) {
          stream.close();
        }
      }
    } catch (FileNotFoundException e) {
      throw new RecordingException(called, "no such file");
    }
  }

  /** Tells Spark of the bytes of a local file, which no file system of Hadoop's reads here. */
  @SuppressWarnings("deprecation") // Spark does not read its replacement.
  private static void count(java.nio.file.Path file, RecordingSlice slice) {
    long size = file.toFile().length();
    long bytes = Math.max(0, Math.min(size, slice.to()) - slice.from());
    FileSystem.getStatistics("file", LocalFileSystem.class).incrementBytesRead(bytes);
  }

  private static boolean isPlain(FSDataInputStream stream, long length) throws IOException {
    return length >= Integer.BYTES && stream.readInt() == MAGIC;
  }

  private java.nio.file.Path copied(InputStream stream) throws IOException {
    java.nio.file.Path file = Files.createTempFile("buftrail", ".jfr");
    copy = file;
    Files.copy(stream, file, StandardCopyOption.REPLACE_EXISTING);
    return file;
  }

  /** Deletes what was copied of the recording that was opened last. */
  void forget() throws IOException {
    java.nio.file.Path file = copy;
    copy = null;
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
