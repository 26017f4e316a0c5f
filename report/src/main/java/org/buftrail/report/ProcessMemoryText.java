package org.buftrail.report;

import java.io.IOException;
import org.buftrail.model.ProcessMemory;
import org.jspecify.annotations.Nullable;

/** Who shares the resident set of a process, as a table for a person and lines for a model. */
public final class ProcessMemoryText {
  private ProcessMemoryText() {}

  /**
   * Writes the table and the limits.
   *
   * @throws IOException when {@code out} does
   */
  public static void table(ProcessMemory memory, Appendable out) throws IOException {
    row("owner", "resident", "share", "what is known", out);
    long sum = memory.resident();
    for (ProcessMemory.Owner owner : memory.owners()) {
      StringBuilder known = new StringBuilder(owner.known());
      if (owner.beyond() > 0) {
        known.append(known.length() == 0 ? "" : "; ").append(Wording.bytes(owner.beyond()));
        known.append(" more not in RAM");
      }
      String share = Wording.share(owner.resident(), sum);
      row(owner.name(), Wording.bytes(owner.resident()), share, known.toString(), out);
    }
    out.append('\n');
    for (String limit : memory.limits()) {
      out.append("limit: ").append(limit).append('\n');
    }
  }

  private static void row(String owner, String resident, String share, String known, Appendable out)
      throws IOException {
    out.append(Wording.left(owner, 30)).append(' ').append(Wording.right(resident, 12));
    out.append(' ').append(Wording.right(share, 6));
    out.append(known.isEmpty() ? "" : "  ".concat(known)).append('\n');
  }

  static void write(@Nullable ProcessMemory memory, Appendable out) throws IOException {
    if (memory != null) {
      out.append("\nTHE WHOLE PROCESS has ").append(Wording.bytes(memory.resident()));
      out.append(" in RAM\n");
      table(memory, out);
    }
  }

  static void writeForLlm(@Nullable ProcessMemory memory, Appendable out) throws IOException {
    if (memory == null) {
      return;
    }
    out.append("\nPROCESS_MEMORY: the resident set by owner, each page counted once\n");
    for (ProcessMemory.Owner owner : memory.owners()) {
      out.append("owner name=\"").append(Wording.ascii(owner.name())).append('"');
      LlmReport.number(out, "resident_bytes", owner.resident());
      LlmReport.number(out, "not_in_ram_bytes", owner.beyond());
      out.append(" known=\"").append(Wording.ascii(owner.known()).replace('"', '\''));
      out.append("\"\n");
    }
    for (String limit : memory.limits()) {
      out.append("limit=\"").append(Wording.ascii(limit)).append("\"\n");
    }
  }
}
