package org.buftrail.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.buftrail.console.input.ReadFlows;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RowReader;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.profile.input.ProfileSource;
import org.buftrail.profile.input.ReadProfiles;

/** Reads files of any form as rows: recordings, flow snapshots, profiles. Belongs to one thread. */
final class RowSource {
  private final Sources sources = new Sources();
  private final SampleBatchTaker taker;
  private final RowReader reader;

  /**
   * What was found beside rows, a line each.
   *
   * @param damages what could not be read
   * @param notes what is worth knowing and is no damage
   */
  record Found(List<String> damages, List<String> notes) {}

  RowSource(RowSelection selection, SampleBatchTaker taker) {
    this.taker = taker;
    reader = new RowReader(selection, taker);
  }

  /**
   * Reads a file.
   *
   * @throws org.buftrail.jfr.RecordingException if it is none of what can be read
   * @throws IOException if it cannot be read now
   */
  Found read(Path file) throws IOException {
    ProfileSource source = Files.isDirectory(file) ? null : sources.of(file);
    if (source == null || sources.isRecording(file)) {
      Conversion read = reader.read(file.toString(), Recording.matching(List.of(file)));
      return new Found(read.damages().stream().map(Damage::toString).toList(), read.notes());
    }
    ReadProfiles read;
    try {
      read = NothingToWrite.refuse(file, source.read(file));
    } catch (CommandFailure e) {
      throw new IOException(e.getMessage(), e);
    }
    Map<String, Object> process = read instanceof ReadFlows flows ? flows.resource() : Map.of();
    new ProfileRows(taker).read(file.toString(), read.profiles(), process);
    return new Found(read.damages(), List.of());
  }
}
