package org.buftrail.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.RowCursor;
import org.buftrail.jfr.RowReader;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.dataset.Content;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.jfr.dataset.DatasetRows;
import org.buftrail.jfr.rows.SampleColumn;

/**
 * A directory of Parquet files, of {@link DatasetLayout}. {@code buftrail convert --format parquet}
 * adds to the same.
 */
final class FleetDataset {
  private static final RowSelection EVERYTHING =
      new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, null);

  private final Path directory;
  private final FileSystem system;
  private final Configuration configuration;

  /**
   * What became of a recording.
   *
   * @param rows how many it has; 0 if it was there before, or cannot be read
   * @param damages what could not be read
   */
  record Added(String recording, boolean isAdded, long rows, List<String> damages)
      implements Serializable {}

  FleetDataset(String directory, Configuration configuration) throws IOException {
    this.directory = new Path(directory);
    this.configuration = configuration;
    system = this.directory.getFileSystem(configuration);
  }

  /** Whether there is one, of whatever version. */
  boolean exists() throws IOException {
    return system.exists(new Path(directory, DatasetLayout.VERSION_FILE));
  }

  /** The version of an existing dataset. */
  int version() throws IOException {
    try {
      return DatasetLayout.version(text(new Path(directory, DatasetLayout.VERSION_FILE)));
    } catch (IOException e) {
      throw new IOException(directory + " " + e.getMessage(), e);
    }
  }

  private String text(Path file) throws IOException {
    try (InputStream in = system.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Makes an empty directory a dataset, or checks the version of one that is there.
   *
   * @throws IOException if it is neither
   */
  void prepare() throws IOException {
    Path file = new Path(directory, DatasetLayout.VERSION_FILE);
    if (!system.exists(file)) {
      make(file);
    }
    check(file);
    checkNotCompacted();
  }

  private void make(Path file) throws IOException {
    // Another program may make it just now, the version first.
    if (system.exists(directory) && !isEmpty() && !system.exists(file)) {
      throw new IOException(directory + " is no dataset and is not empty; name a new directory");
    }
    system.mkdirs(directory);
    WholeFiles.writeNew(system, file, out -> out.write(bytes(DatasetLayout.VERSION_TEXT)));
  }

  private boolean isEmpty() throws IOException {
    for (FileStatus entry : system.listStatus(directory)) {
      if (!entry.getPath().getName().startsWith(DatasetLayout.PART)) {
        return false;
      }
    }
    return true;
  }

  /** There recordings are known by lists, which this job does not read. */
  private void checkNotCompacted() throws IOException {
    if (system.exists(new Path(directory, DatasetLayout.COMPACTIONS))) {
      throw new IOException(
          directory
              + " has been compacted; add to it by buftrail convert, or name a new directory");
    }
  }

  private void check(Path file) throws IOException {
    String text = text(file);
    try {
      DatasetLayout.checkWritten(text);
    } catch (IOException e) {
      throw new IOException(directory + " " + e.getMessage(), e);
    }
  }

  private void write(Path file, String text) throws IOException {
    WholeFiles.write(system, file, out -> out.write(bytes(text)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Adds a recording, unless it is there. Returns an error in place of throwing it.
   *
   * @throws IOException if a system cannot read or write now, so that another attempt may succeed
   */
  Added add(String address) throws IOException {
    String name = OpenedRecordings.name(address);
    try {
      Content content = content(address);
      Path mark = new Path(directory, DatasetLayout.mark(content.id()));
      if (isThere(mark)) {
        return new Added(name, false, 0, List.of());
      }
      return add(address, content, mark);
    } catch (RecordingException e) {
      if (!e.isOfRecording()) {
        throw new IOException(e.getMessage(), e);
      }
      return new Added(name, false, 0, List.of(e.reason()));
    } catch (AccessControlException | AccessDeniedException e) {
      return new Added(name, false, 0, List.of("permission denied"));
    } catch (FileNotFoundException e) {
      // Hadoop's local files say both so.
      boolean isDenied = String.valueOf(e.getMessage()).endsWith("(Permission denied)");
      String what = isDenied ? "permission denied" : "no such file";
      return new Added(name, false, 0, List.of(what));
    }
  }

  private Added add(String address, Content content, Path mark) throws IOException {
    String name = OpenedRecordings.name(address);
    // Attempts of the same task may run side by side.
    Path part = new Path(directory, DatasetLayout.PART + UUID.randomUUID());
    OpenedRecordings recordings = new OpenedRecordings(configuration);
    DatasetRows writer = new DatasetRows(file -> create(new Path(part, file)), content.id(), false);
    try {
      List<String> damages;
      try (writer;
          RowCursor cursor =
              recordings.open(new RowReader(EVERYTHING, writer), RecordingSlice.whole(address))) {
        while (cursor.next()) {
          // The writer takes the rows.
        }
        damages = cursor.damages().stream().map(Damage::text).toList();
        writer.finish();
      } catch (UncheckedIOException e) {
        throw cannotWrite(e);
      }
      try (InputStream in = open(address)) {
        if (!content.isStillOf(in)) {
          return new Added(name, false, 0, List.of("has changed while it was read"));
        }
      }
      if (isThere(mark)) {
        // Another attempt was faster.
        return new Added(name, false, 0, List.of());
      }
      if (writer.rows() == 0 && !damages.isEmpty()) {
        return new Added(name, false, 0, damages);
      }
      checkNotCompacted();
      place(part, writer, mark, damages.size());
      return new Added(name, true, writer.rows(), damages);
    } finally {
      recordings.forget();
      system.delete(part, true);
    }
  }

  private OutputStream create(Path file) throws IOException {
    return system.create(file, true);
  }

  private boolean isThere(Path mark) throws IOException {
    try {
      return system.exists(mark);
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  /** Puts files where they belong, and the mark last. */
  private void place(Path part, DatasetRows writer, Path mark, int damages) throws IOException {
    try {
      for (String file : writer.names()) {
        WholeFiles.move(system, new Path(part, file), new Path(directory, file));
      }
      write(mark, DatasetLayout.markText(writer.rows(), damages));
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  /** A failure of the dataset's, which no recording is to blame for. */
  private IOException cannotWrite(Exception e) {
    return new IOException("cannot write " + directory + ": " + e.getMessage(), e);
  }

  private Content content(String address) throws IOException {
    try (InputStream in = open(address)) {
      return Content.of(in);
    }
  }

  private InputStream open(String address) throws IOException {
    Path path = new Path(address);
    return path.getFileSystem(configuration).open(path);
  }
}
