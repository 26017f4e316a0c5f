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
import org.apache.spark.sql.sources.Filter;
import org.buftrail.spark.DirectoryColumns.Found;
import org.buftrail.spark.RecordingSlice.Part;
import org.jspecify.annotations.Nullable;

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
  private final DirectoryColumns directories;
  private final List<Filter> filters;

  /**
   * @param filters of the columns of directories, as far as they save reading recordings
   */
  Slicing(
      Configuration configuration,
      SourceOptions options,
      int cores,
      DirectoryColumns directories,
      List<Filter> filters) {
    this.configuration = configuration;
    this.options = options;
    this.directories = directories;
    this.filters = filters;
    this.cores = cores;
  }

  List<JfrPartition> plan(Question question) {
    long most = options.splitBytes();
    try {
      List<RecordingSlice> wholes = new ArrayList<>();
      List<FileStatus> files = new ArrayList<>();
      long total = 0;
      for (Found found : new RecordingPaths(configuration).of(options)) {
        List<@Nullable Object> values = directories.values(found, question.shape().names());
        if (directories.mayPass(values, filters)) {
          wholes.add(RecordingSlice.whole(found.file().getPath().toString(), values));
          files.add(found.file());
          total += found.file().getLen() + OPEN_COST;
        }
      }
      long bound = Math.min(most, Math.max(OPEN_COST, total / Math.max(1, cores)));
      List<JfrPartition> partitions = new ArrayList<>();
      List<RecordingSlice> together = new ArrayList<>();
      long size = 0;
      for (int i = 0; i < files.size(); i++) {
        FileStatus file = files.get(i);
        RecordingSlice whole = wholes.get(i);
        if (file.getLen() > most && isPlain(file)) {
          split(whole, file.getLen(), most, question.needsEnds(), partitions);
          continue;
        }
        if (!together.isEmpty() && size + file.getLen() > bound) {
          partitions.add(new JfrPartition(List.copyOf(together)));
          together.clear();
          size = 0;
        }
        together.add(whole);
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
      RecordingSlice whole,
      long length,
      long most,
      boolean needsEnds,
      List<JfrPartition> partitions) {
    long parts = (length + most - 1) / most;
    if (needsEnds) {
      // First, since it goes over the whole file.
      partitions.add(JfrPartition.of(whole.part(0, Long.MAX_VALUE, Part.ENDS)));
    }
    for (long i = 0; i < parts; i++) {
      long to = i == parts - 1 ? Long.MAX_VALUE : (i + 1) * most;
      partitions.add(JfrPartition.of(whole.part(i * most, to, Part.CHUNKS)));
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
