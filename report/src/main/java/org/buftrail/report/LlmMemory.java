package org.buftrail.report;

import java.io.IOException;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** The lines of {@link LlmReport} that say who holds memory: now, by chunks, and at the peak. */
final class LlmMemory {
  private static final int MAX_ROWS = 50;

  private LlmMemory() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    pools(snapshot.pools(), out);
    peak(snapshot.peak(), out);
  }

  private static void pools(@Nullable PoolMemory memory, Appendable out) throws IOException {
    if (memory == null) {
      return;
    }
    if (!memory.pools().isEmpty() || !memory.unexplained().isEmpty()) {
      explained(memory, out);
    }
    direct(memory.direct(), out);
  }

  private static void explained(PoolMemory memory, Appendable out) throws IOException {
    out.append("\nMEMORY: held=bytes of the chunks in which the buffers lie; alone=of these, what");
    out.append(" nothing else uses; returned=what their release certainly gives back;");
    out.append(" taken, free, other=what live buffers take of a pool's held, what is free, rest\n");
    for (PoolMemory.Pool pool : memory.pools()) {
      out.append("pool allocator=").append(Wording.ascii(pool.allocator()));
      out.append(" memory=").append(pool.isDirect() ? "direct" : "heap");
      LlmReport.number(out, "bytes", pool.bytes());
      LlmReport.number(out, "held", pool.held());
      LlmReport.number(out, "idle", pool.idle());
      LlmReport.number(out, "not_located", pool.notLocated());
      if (pool.taken() != PoolMemory.Pool.UNKNOWN) {
        LlmReport.number(out, "taken", pool.taken());
        LlmReport.number(out, "free", pool.free());
        LlmReport.number(out, "other", pool.other());
      }
      out.append('\n');
    }
    for (int i = 0; i < Math.min(MAX_ROWS, memory.holders().size()); i++) {
      PoolMemory.Holder holder = memory.holders().get(i);
      out.append("holder memory=").append(holder.isDirect() ? "direct" : "heap");
      LlmReport.number(out, "buffers", holder.buffers().count());
      LlmReport.number(out, "buffer_bytes", holder.buffers().bytes());
      LlmReport.number(out, "chunks", holder.chunks());
      LlmReport.number(out, "held", holder.held());
      LlmReport.number(out, "alone", holder.alone());
      LlmReport.number(out, "returned", holder.returned());
      LlmReport.hops(" path=", holder.hops(), out);
      out.append('\n');
    }
    notListed(memory.holders().size(), out);
    for (String line : memory.unexplained()) {
      out.append("not_explained=\"").append(Wording.ascii(line).replace('"', '\'')).append("\"\n");
    }
  }

  private static void direct(@Nullable DirectMemory direct, Appendable out) throws IOException {
    if (direct == null) {
      return;
    }
    out.append("\nDIRECT_BUFFERS: of the JDK, by the application's calls that allocated them;");
    out.append(" live=not collected yet; accounts are what the JVM and Netty count in all\n");
    for (DirectMemory.CallSite call :
        direct.sites().subList(0, Math.min(MAX_ROWS, direct.sites().size()))) {
      out.append("call");
      live(call.live(), out);
      LlmReport.number(out, "allocated", call.allocated().count());
      LlmReport.number(out, "allocated_bytes", call.allocated().bytes());
      out.append(" at=").append(Wording.ascii(call.site().toString()));
      out.append('\n');
    }
    notListed(direct.sites().size(), out);
    for (DirectMemory.Account account : direct.accounts()) {
      out.append("account name=\"").append(Wording.ascii(account.name())).append('"');
      known(out, "buffers", account.buffers());
      LlmReport.number(out, "bytes", account.bytes());
      known(out, "limit", account.limit());
      out.append('\n');
    }
  }

  private static void known(Appendable out, String name, long value) throws IOException {
    if (value != DirectMemory.Account.UNKNOWN) {
      LlmReport.number(out, name, value);
    }
  }

  private static void peak(@Nullable Peak peak, Appendable out) throws IOException {
    if (peak == null || peak.flows().bytes() == 0) {
      return;
    }
    out.append("\nPEAK: what was live at the highest moment since the start\n");
    out.append("peak_total at=").append(Wording.time(peak.atMillis()));
    live(peak.flows(), out);
    out.append('\n');
    for (Peak.Row row : peak.rows().subList(0, Math.min(MAX_ROWS, peak.rows().size()))) {
      out.append("peak memory=").append(row.isDirect() ? "direct" : "heap");
      live(row.flows(), out);
      LlmReport.hops(" path=", row.hops(), out);
      out.append('\n');
    }
    notListed(peak.rows().size(), out);
  }

  private static void live(Path.Flows flows, Appendable out) throws IOException {
    LlmReport.number(out, "live", flows.count());
    LlmReport.number(out, "live_bytes", flows.bytes());
  }

  private static void notListed(int rows, Appendable out) throws IOException {
    if (rows > MAX_ROWS) {
      out.append("not_listed=").append(Integer.toString(rows - MAX_ROWS)).append('\n');
    }
  }
}
