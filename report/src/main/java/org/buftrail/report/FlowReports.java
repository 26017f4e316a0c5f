package org.buftrail.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriters;
import org.jspecify.annotations.Nullable;

/** The writers of snapshots, one for each of the {@linkplain ProfileFormat formats}. */
public final class FlowReports {
  private FlowReports() {}

  private interface TextWriter {
    void write(Snapshot snapshot, Appendable out) throws IOException;
  }

  /**
   * Writes a snapshot and flushes; {@code out} stays open.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, ProfileFormat format, OutputStream out)
      throws IOException {
    write(snapshot, null, format, out);
  }

  /**
   * Also writes the history, in the format that has a place for it: a page.
   *
   * @param history as {@link FlowHtml} takes it, or null
   * @throws IOException when {@code out} does
   */
  public static void write(
      Snapshot snapshot, FlowHtml.@Nullable Member history, ProfileFormat format, OutputStream out)
      throws IOException {
    switch (format) {
      case TEXT:
        text(TreeReport::write, snapshot, out);
        break;
      case JSON:
        text(SnapshotJson::write, snapshot, out);
        break;
      case PPROF:
        FlowProfiles.writePprof(snapshot, out);
        break;
      case HTML:
        text((flows, page) -> FlowHtml.write(flows, history, page), snapshot, out);
        break;
      case COLLAPSED:
        text(CollapsedReport::write, snapshot, out);
        break;
      case DOT:
        text(GraphReport::dot, snapshot, out);
        break;
      case MERMAID:
        text(GraphReport::mermaid, snapshot, out);
        break;
      case LLM:
        text(LlmReport::write, snapshot, out);
        break;
      default:
        ProfileWriters.of(format, ProfileWriters.Style.PLAIN)
            .write(List.of(FlowProfiles.of(snapshot)), out);
    }
    out.flush();
  }

  private static void text(TextWriter writer, Snapshot snapshot, OutputStream out)
      throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
    writer.write(snapshot, text);
    text.flush();
  }

  /** Whether flows have a form of their own in a format, other than that of their profiles. */
  public static boolean isOwn(ProfileFormat format) {
    return saysStatus(format) || format == ProfileFormat.PPROF || format == ProfileFormat.COLLAPSED;
  }

  /** Whether a format has a place for what the tracker says of itself. */
  static boolean saysStatus(ProfileFormat format) {
    switch (format) {
      case TEXT:
      case JSON:
      case HTML:
      case DOT:
      case MERMAID:
      case LLM:
        return true;
      default:
        return false;
    }
  }
}
