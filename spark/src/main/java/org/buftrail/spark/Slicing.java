package org.buftrail.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.buftrail.spark.RecordingSlice.Part;

/**
 * Which task reads what: large recordings are read by several, many small ones by one. A packed one
 * has to be read from its front, by one task.
 */
final class Slicing {
  /** What opening a file costs, in bytes that could be read meanwhile; as in Spark's sources. */
  private static final long OPEN_COST = 4 << 20;

  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

  private final Configuration configuration;
  private final SourceOptions options;
  private final int cores;

  Slicing(Configuration configuration, SourceOptions options, int cores) {
    this.configuration = configuration;
    this.options = options;
    this.cores = cores;
  }

  List<JfrPartition> plan(Question question) {
    long most = options.splitBytes();
    try {
      List<FileStatus> files = new RecordingPaths(configuration).of(options);
      long total = 0;
      for (FileStatus file : files) {
        total += file.getLen() + OPEN_COST;
      }
      long bound = Math.min(most, Math.max(OPEN_COST, total / Math.max(1, cores)));
      List<JfrPartition> partitions = new ArrayList<>();
      List<RecordingSlice> together = new ArrayList<>();
      long size = 0;
      for (FileStatus file : files) {
        if (file.getLen() > most && isPlain(file)) {
          split(file, most, question.needsEnds(), partitions);
          continue;
        }
        if (!together.isEmpty() && size + file.getLen() > bound) {
          partitions.add(new JfrPartition(List.copyOf(together)));
          together.clear();
          size = 0;
        }
        together.add(RecordingSlice.whole(file.getPath().toString()));
        size += file.getLen() + OPEN_COST;
      }
      if (!together.isEmpty()) {
        partitions.add(new JfrPartition(List.copyOf(together)));
      }
      return partitions;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static void split(
      FileStatus file, long most, boolean needsEnds, List<JfrPartition> partitions) {
    String path = file.getPath().toString();
    long parts = (file.getLen() + most - 1) / most;
    if (needsEnds) {
      // First, since it goes over the whole file.
      partitions.add(JfrPartition.of(new RecordingSlice(path, 0, Long.MAX_VALUE, Part.ENDS)));
    }
    for (long i = 0; i < parts; i++) {
      long to = i == parts - 1 ? Long.MAX_VALUE : (i + 1) * most;
      partitions.add(JfrPartition.of(new RecordingSlice(path, i * most, to, Part.CHUNKS)));
    }
  }

  private boolean isPlain(FileStatus file) {
    Path path = file.getPath();
    try {
      FileSystem system = path.getFileSystem(configuration);
      try (FSDataInputStream stream = system.open(path)) {
        return stream.readInt() == MAGIC;
      }
    } catch (IOException e) {
      // Its reader will report that.
      return false;
    }
  }
}
