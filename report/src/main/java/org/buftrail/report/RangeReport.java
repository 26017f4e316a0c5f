package org.buftrail.report;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.buftrail.model.MemoryRange;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.output.ProfileFormat;

/** Writes what happened in a range of time, as text, JSON, or lines for language models. */
public final class RangeReport {
  /** The formats that {@link #write} knows. */
  public static final Set<ProfileFormat> FORMATS =
      Set.of(ProfileFormat.TEXT, ProfileFormat.JSON, ProfileFormat.LLM);

  private static final int MAX_ROWS = 20;
  private static final int MAX_LINES = 500;

  private RangeReport() {}

  /**
   * Writes and flushes; {@code out} stays open.
   *
   * @param format one of {@link #FORMATS}
   * @throws IOException when {@code out} does
   */
  public static void write(MemoryRange range, ProfileFormat format, OutputStream out)
      throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    if (format == ProfileFormat.JSON) {
      json(range, writer);
    } else if (format == ProfileFormat.LLM) {
      lines(range, writer);
    } else {
      text(range, writer);
    }
    writer.flush();
  }

  static void text(MemoryRange range, Appendable out) throws IOException {
    MemoryRange.Row total = range.total();
    out.append("FROM ").append(Wording.time(range.fromMillis())).append(" TO ");
    out.append(Wording.time(range.toMillis())).append('\n');
    out.append("  live ").append(Wording.bytes(total.before().bytes())).append(" before, ");
    out.append(Wording.bytes(total.after().bytes())).append(" after\n");
    figures(total, out);
    List<MemoryRange.Row> rows = range.rows();
    if (!rows.isEmpty()) {
      out.append("\nBY PATH, most grown or shrunk first\n");
    }
    for (MemoryRange.Row row : rows.subList(0, Math.min(MAX_ROWS, rows.size()))) {
      figures(row, out);
      out.append("    ");
      TreeReport.hops(row.hops(), out);
      out.append('\n');
    }
    if (rows.size() > MAX_ROWS) {
      out.append("  ... ").append(Wording.paths(rows.size() - MAX_ROWS)).append(" not shown\n");
    }
  }

  /**
   * {@code grew by 4.0 MiB: allocated 3 (5.0 MiB), of which 1 (4.0 MiB) is live now; released 2}.
   */
  private static void figures(MemoryRange.Row row, Appendable out) throws IOException {
    long grown = row.grownBytes();
    out.append(grown < 0 ? "  shrank by " : "  grew by ").append(Wording.bytes(Math.abs(grown)));
    if (row.allocated() < 0) {
      out.append(": ").append(amount(-row.allocated(), -row.allocatedBytes()));
      out.append(" went on to other paths");
    } else {
      out.append(": allocated ").append(amount(row.allocated(), row.allocatedBytes()));
    }
    long kept = row.kept().count();
    if (kept > 0) {
      out.append(", of which ").append(amount(kept, row.kept().bytes()));
      out.append(kept == 1 ? " is live now" : " are live now");
    }
    out.append("; released ").append(amount(row.released(), row.releasedBytes()));
    if (row.lost() != 0 || row.lostBytes() != 0) {
      out.append("; lost ").append(amount(row.lost(), row.lostBytes()));
    }
    out.append(row.hops().isEmpty() ? "\n" : row.isDirect() ? "; direct\n" : "; heap\n");
  }

  private static String amount(long count, long bytes) {
    String size = bytes < 0 ? "-" + Wording.bytes(-bytes) : Wording.bytes(bytes);
    return Wording.count(count) + " (" + size + ")";
  }

  static void json(MemoryRange range, Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("format").value("buftrail.range").name("version").value(1);
    json.name("from").value(Instant.ofEpochMilli(range.fromMillis()).toString());
    json.name("to").value(Instant.ofEpochMilli(range.toMillis()).toString());
    figures(range.total(), json.name("total").beginObject());
    json.endObject().name("paths").beginArray();
    for (MemoryRange.Row row : range.rows()) {
      json.newLine().beginObject().name("path").beginObject();
      SnapshotJson.hops(row.hops(), json);
      json.endObject().name("direct").value(row.isDirect());
      figures(row, json);
      json.endObject();
    }
    json.endArray().endObject();
    out.append('\n');
  }

  private static void figures(MemoryRange.Row row, JsonOut json) throws IOException {
    for (Figure figure : figures(row)) {
      json.name(figure.name).value(figure.value);
    }
  }

  static void lines(MemoryRange range, Appendable out) throws IOException {
    out.append("METADATA\nformat=buftrail.llm version=1 from=");
    out.append(Wording.time(range.fromMillis())).append(" to=");
    out.append(Wording.time(range.toMillis()));
    line(range.total(), out);
    out.append("\nlegend: allocated, released and lost (leaked, or dropped) count buffers in this");
    out.append(" range of time; before and after were live when it began and ended; kept were");
    out.append(" allocated in it and are live now; allocated below 0=more went on to other paths");
    out.append("\n\nRANGE\n");
    List<MemoryRange.Row> rows = range.rows();
    for (MemoryRange.Row row : rows.subList(0, Math.min(MAX_LINES, rows.size()))) {
      out.append("range memory=").append(row.isDirect() ? "direct" : "heap");
      line(row, out);
      LlmReport.hops(" path=", row.hops(), out);
      out.append('\n');
    }
    if (rows.size() > MAX_LINES) {
      out.append("not_listed=").append(Integer.toString(rows.size() - MAX_LINES)).append('\n');
    }
  }

  private static void line(MemoryRange.Row row, Appendable out) throws IOException {
    for (Figure figure : figures(row)) {
      out.append(' ').append(figure.name.replace("Bytes", "_bytes")).append('=');
      out.append(Long.toString(figure.value));
    }
  }

  /** A number and its name. */
  private static final class Figure {
    private final String name;
    private final long value;

    Figure(String name, long value) {
      this.name = name;
      this.value = value;
    }
  }

  private static List<Figure> figures(MemoryRange.Row row) {
    return List.of(
        new Figure("allocated", row.allocated()),
        new Figure("allocatedBytes", row.allocatedBytes()),
        new Figure("released", row.released()),
        new Figure("releasedBytes", row.releasedBytes()),
        new Figure("lost", row.lost()),
        new Figure("lostBytes", row.lostBytes()),
        new Figure("before", row.before().count()),
        new Figure("beforeBytes", row.before().bytes()),
        new Figure("after", row.after().count()),
        new Figure("afterBytes", row.after().bytes()),
        new Figure("grownBytes", row.grownBytes()),
        new Figure("kept", row.kept().count()),
        new Figure("keptBytes", row.kept().bytes()));
  }
}
