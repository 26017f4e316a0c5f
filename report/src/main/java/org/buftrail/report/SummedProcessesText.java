package org.buftrail.report;

import java.io.IOException;
import org.buftrail.model.SummedProcesses;
import org.jspecify.annotations.Nullable;

/**
 * The processes that a snapshot is the sum of, as a table for a person and lines for a model: how
 * each differs, and the leaks that only some have.
 */
public final class SummedProcessesText {
  private SummedProcessesText() {}

  /**
   * Writes the table and the leaks, or nothing for a snapshot of one process.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(@Nullable SummedProcesses processes, Appendable out) throws IOException {
    if (processes == null) {
      return;
    }
    int width = "process".length();
    for (SummedProcesses.Share share : processes.shares()) {
      width = Math.max(width, Wording.ascii(share.process()).length());
    }
    int count = processes.shares().size();
    out.append(Wording.ascii(processes.service())).append(": ").append(Wording.count(count));
    out.append(count == 1 ? " process\n\n  " : " processes\n\n  ");
    out.append(Wording.left("process", width))
        .append("     allocated        leaked         bytes\n");
    for (SummedProcesses.Share share : processes.shares()) {
      out.append("  ").append(Wording.left(Wording.ascii(share.process()), width));
      out.append(Wording.right(Wording.count(share.allocated()), 14));
      out.append(Wording.right(Wording.count(share.leaked().count()), 14));
      out.append(Wording.right(Wording.bytes(share.leaked().bytes()), 14));
      out.append(share.difference().isEmpty() ? "" : "  ");
      out.append(Wording.ascii(share.difference())).append('\n');
    }
    out.append('\n');
    for (SummedProcesses.PartialLeak leak : processes.partialLeaks()) {
      out.append("  leaks in ").append(Wording.ascii(leak.processes()));
      out.append(" alone: last seen in ").append(Wording.ascii(leak.place())).append('\n');
    }
    if (processes.unlisted() > 0) {
      out.append("  and ").append(Wording.count(processes.unlisted()));
      out.append(" more that not all have\n");
    }
    if (!processes.partialLeaks().isEmpty()) {
      out.append('\n');
    }
  }

  static void writeForLlm(@Nullable SummedProcesses processes, Appendable out) throws IOException {
    if (processes == null) {
      return;
    }
    out.append("\nPROCESSES: this is their sum, of ").append(Wording.ascii(processes.service()));
    out.append("; unlike_most=how one differs\n");
    for (SummedProcesses.Share share : processes.shares()) {
      out.append("process name=\"").append(text(share.process()));
      out.append("\" allocated=").append(Long.toString(share.allocated()));
      out.append(" leaked=").append(Long.toString(share.leaked().count()));
      out.append(" leaked_bytes=").append(Long.toString(share.leaked().bytes()));
      if (!share.difference().isEmpty()) {
        out.append(" unlike_most=\"").append(text(share.difference())).append('"');
      }
      out.append('\n');
    }
    for (SummedProcesses.PartialLeak leak : processes.partialLeaks()) {
      out.append("leak_of_some last_seen=").append(Wording.ascii(leak.place()));
      out.append(" only_in=\"").append(text(leak.processes())).append("\"\n");
    }
    if (processes.unlisted() > 0) {
      out.append("not_listed=").append(Integer.toString(processes.unlisted())).append('\n');
    }
  }

  private static String text(String said) {
    return Wording.ascii(said).replace('"', '\'');
  }
}
