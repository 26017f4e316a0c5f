package org.buftrail.agent.source;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowHtml;
import org.buftrail.report.FlowReports;
import org.jspecify.annotations.Nullable;

/** Writes snapshots of a source in any format, with what the source remembers. Thread-safe. */
public final class Rendering {
  private final FlowSource source;

  public Rendering(FlowSource source) {
    this.source = source;
  }

  /** What pages show of the time before; null where nothing is remembered. */
  public FlowHtml.@Nullable Member history() {
    History history = source.history();
    return history == null ? null : history::write;
  }

  /** Writes a fresh snapshot with the pools. Does not close the stream. */
  public void write(ProfileFormat format, OutputStream out) throws IOException {
    write(source.whole(source.snapshot(0)), format, out);
  }

  /** Writes a snapshot. Does not close the stream. */
  public void write(Snapshot snapshot, ProfileFormat format, OutputStream out) throws IOException {
    FlowReports.write(snapshot, history(), format, out);
  }

  /** The file endings of all formats. */
  public static List<String> formats() {
    List<String> formats = new ArrayList<>();
    for (ProfileFormat format : ProfileFormat.values()) {
      formats.add(format.extension());
    }
    return formats;
  }

  /**
   * A format by file ending or by name: {@code json} and {@code JSON}, {@code txt} and {@code
   * text}.
   *
   * @throws IllegalArgumentException naming those that there are
   */
  public static ProfileFormat format(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    for (ProfileFormat format : ProfileFormat.values()) {
      if (wanted.equals(format.extension()) || wanted.equals(format.toString())) {
        return format;
      }
    }
    throw new IllegalArgumentException("there is no format '" + name + "'; there are " + formats());
  }
}
