package org.buftrail.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.jspecify.annotations.Nullable;

/** Writes snapshots to files, which appear whole or not at all. */
public final class Reports {
  private Reports() {}

  /**
   * Writes a snapshot in the format that the file's name asks for, replacing what is there.
   *
   * @throws IOException with one line saying which file, what is wrong and what would be right;
   *     whatever was at {@code file} is then still there
   */
  public static void write(Snapshot snapshot, Path file) throws IOException {
    write(snapshot, (FlowHtml.Member) null, file);
  }

  /**
   * Also writes the history, where a page is asked for.
   *
   * @param history as {@link FlowHtml} takes it, or null
   * @throws IOException as {@link #write(Snapshot, Path)}
   */
  public static void write(Snapshot snapshot, FlowHtml.@Nullable Member history, Path file)
      throws IOException {
    Path name = file.getFileName();
    ProfileFormat format =
        ProfileFormat.ofFile(name == null ? "" : name.toString())
            .orElseThrow(
                () ->
                    new IOException(
                        "cannot write "
                            + file
                            + ": the name must end in one of "
                            + ProfileFormat.allEndings()));
    write(snapshot, history, format, file);
  }

  /**
   * Writes a snapshot in a given format, replacing what is there.
   *
   * @throws IOException as {@link #write(Snapshot, Path)}
   */
  public static void write(Snapshot snapshot, ProfileFormat format, Path file) throws IOException {
    write(snapshot, null, format, file);
  }

  /**
   * Also writes the history, where a page is asked for.
   *
   * @param history as {@link FlowHtml} takes it, or null
   * @throws IOException as {@link #write(Snapshot, Path)}
   */
  public static void write(
      Snapshot snapshot, FlowHtml.@Nullable Member history, ProfileFormat format, Path file)
      throws IOException {
    try (OutputFile output = OutputFile.at(file)) {
      try (OutputStream out = output.open()) {
        FlowReports.write(snapshot, history, format, out);
      }
      output.commit();
    } catch (IOException e) {
      throw new IOException("cannot write " + file + ": " + OutputFile.reason(file, e), e);
    }
  }

  /**
   * What has to be said beside a report whose format has no place for it: that the tracker had
   * stopped, and how many flows are undecided.
   *
   * @return in one line, or null when there is nothing to say
   */
  public static @Nullable String unsaid(Snapshot snapshot, ProfileFormat format) {
    if (FlowReports.saysStatus(format)) {
      return null;
    }
    String stopped = StatusText.stopped(snapshot.status());
    String undecided = StatusText.undecided(snapshot.status());
    return stopped == null || undecided == null
        ? stopped == null ? undecided : stopped
        : stopped + "; " + undecided;
  }

  /**
   * Looks whether a report could be written to a file now.
   *
   * @return why not and what would be right, in one line, or null when nothing speaks against it
   */
  public static @Nullable String problem(Path file) {
    Path name = file.getFileName();
    return ProfileFormat.ofFile(name == null ? "" : name.toString()).isEmpty()
        ? "the name must end in one of " + ProfileFormat.allEndings()
        : OutputFile.problem(file);
  }
}
