package org.buftrail.agent.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.buftrail.flow.Snapshot;
import org.buftrail.profile.otlp.OtlpWriter;

/** The forms in which a snapshot can be written, each with the ending of its files. */
public enum ReportFormat {
  /** Text for people, {@link TreeReport}. */
  TEXT("txt", text(TreeReport::write)),
  /** The snapshot itself, {@link SnapshotJson}. */
  JSON("json", text(SnapshotJson::write)),
  /** OpenTelemetry profiles as protobuf, {@link FlowProfiles}. */
  OTLP("otlp", ReportFormat::otlp),
  /** All flows as one pprof file, labelled with what became of them, {@link FlowProfiles}. */
  PPROF("pb.gz", ReportFormat::pprof),
  /** A self-contained page for a browser, {@link FlowHtml}. */
  HTML("html", text(FlowHtml::write)),
  /** Collapsed stacks. */
  COLLAPSED("collapsed", text(CollapsedReport::write)),
  /** A Graphviz graph. */
  DOT("dot", text(GraphReport::dot)),
  /** A Mermaid flowchart. */
  MERMAID("mmd", text(GraphReport::mermaid)),
  /** Structured text for language models. */
  LLM("llm", text(LlmReport::write));

  private final String extension;

  /** A method without state, which is more than the checker can see. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final BytesWriter writer;

  /** Writes text. */
  private interface TextWriter {
    void write(Snapshot snapshot, Appendable out) throws IOException;
  }

  /** Writes bytes. */
  private interface BytesWriter {
    void write(Snapshot snapshot, OutputStream out) throws IOException;
  }

  ReportFormat(String extension, BytesWriter writer) {
    this.extension = extension;
    this.writer = writer;
  }

  private static void otlp(Snapshot snapshot, OutputStream out) throws IOException {
    new OtlpWriter().write(FlowProfiles.of(snapshot), out);
    out.flush();
  }

  private static void pprof(Snapshot snapshot, OutputStream out) throws IOException {
    FlowProfiles.writePprof(snapshot, out);
    out.flush();
  }

  private static BytesWriter text(TextWriter writer) {
    return (snapshot, out) -> {
      Writer text =
          new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
      writer.write(snapshot, text);
      text.flush();
    };
  }

  /** Whether it has a place for what the tracker says of itself. */
  boolean saysStatus() {
    return this != COLLAPSED && this != OTLP && this != PPROF;
  }

  /** What names of such files end in after a dot, lower case. */
  public String extension() {
    return extension;
  }

  /** The format of a file by its name, whatever the case. */
  public static Optional<ReportFormat> ofFile(String fileName) {
    String lower = fileName.toLowerCase(Locale.ROOT);
    for (ReportFormat format : values()) {
      if (lower.endsWith('.' + format.extension)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** {@code .txt .json ...}: the endings that {@link #ofFile} knows, for messages and help. */
  public static String extensions() {
    StringBuilder all = new StringBuilder();
    for (ReportFormat format : values()) {
      all.append(all.length() == 0 ? "." : " .").append(format.extension);
    }
    return all.toString();
  }

  /**
   * Writes a snapshot and flushes; {@code out} stays open.
   *
   * @throws IOException when {@code out} does
   */
  public void write(Snapshot snapshot, OutputStream out) throws IOException {
    writer.write(snapshot, out);
  }
}
