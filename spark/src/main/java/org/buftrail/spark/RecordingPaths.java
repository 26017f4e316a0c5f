package org.buftrail.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.buftrail.jfr.Recording;
import org.buftrail.spark.DirectoryColumns.Found;
import org.jspecify.annotations.Nullable;

/** The recordings that paths stand for: files, directories with such, and globs. */
final class RecordingPaths {
  private final Configuration configuration;

  RecordingPaths(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The recordings that a read asks for. */
  List<Found> of(SourceOptions options) throws IOException {
    if (options.paths().isEmpty()) {
      throw new IllegalArgumentException("format jfr needs a path: load(path)");
    }
    String base = options.base();
    return below(options.paths(), options.isRecursive()).stream()
        .filter(found -> options.wants(found.file()))
        .map(found -> base == null ? found : new Found(found.file(), qualified(base, found.file())))
        .toList();
  }

  /** The recordings below paths, by name. */
  List<FileStatus> below(List<String> paths) throws IOException {
    return below(paths, true).stream().map(Found::file).toList();
  }

  private static Path qualified(String base, FileStatus file) {
    Path path = file.getPath();
    return new Path(base).makeQualified(path.toUri(), new Path(Path.SEPARATOR));
  }

  private List<Found> below(List<String> paths, boolean isRecursive) throws IOException {
    List<Found> files = new ArrayList<>();
    for (String name : paths) {
      Path path = new Path(name);
      FileSystem system = path.getFileSystem(configuration);
      FileStatus[] found = found(system, path);
      if (found == null || found.length == 0) {
        throw new FileNotFoundException(name + ": no such file or directory");
      }
      for (FileStatus status : found) {
        if (status.isDirectory()) {
          addBelow(system, status.getPath(), status.getPath(), isRecursive, files);
        } else {
          files.add(new Found(status, parent(status)));
        }
      }
    }
    files.sort(Comparator.comparing(found -> found.file().getPath().toString()));
    return files;
  }

  /** A file of that very name comes first, since names may look like globs. */
  private static FileStatus @Nullable [] found(FileSystem system, Path path) throws IOException {
    try {
      return new FileStatus[] {system.getFileStatus(path)};
    } catch (FileNotFoundException e) {
      return system.globStatus(path);
    }
  }

  private static Path parent(FileStatus file) {
    Path parent = file.getPath().getParent();
    return parent == null ? file.getPath() : parent;
  }

  private static void addBelow(
      FileSystem system, Path base, Path directory, boolean isRecursive, List<Found> files)
      throws IOException {
    for (FileStatus status : system.listStatus(directory)) {
      String name = status.getPath().getName();
      if (status.isDirectory()) {
        if (isRecursive) {
          addBelow(system, base, status.getPath(), true, files);
        }
      } else if (!Recording.withoutEnding(name).equals(name)) {
        files.add(new Found(status, base));
      }
    }
  }
}
