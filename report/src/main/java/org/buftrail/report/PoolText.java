package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.PoolMemory;
import org.jspecify.annotations.Nullable;

/** What allocators keep, and by which buffers, as text for a person. */
final class PoolText {
  private static final int MAX_HOLDERS = 10;

  private PoolText() {}

  static void write(@Nullable PoolMemory memory, Appendable out) throws IOException {
    if (memory == null) {
      return;
    }
    if (!memory.pools().isEmpty() || !memory.unexplained().isEmpty()) {
      pools(memory, out);
    }
    DirectText.write(memory.direct(), out);
  }

  private static void pools(PoolMemory memory, Appendable out) throws IOException {
    out.append("\nWHO HOLDS THE MEMORY of Netty's pools, most held alone first\n");
    List<PoolMemory.Holder> holders = memory.holders();
    for (PoolMemory.Holder holder : holders.subList(0, Math.min(MAX_HOLDERS, holders.size()))) {
      holder(holder, out);
    }
    if (holders.size() > MAX_HOLDERS) {
      out.append("  ... ").append(Wording.paths(holders.size() - MAX_HOLDERS));
      out.append(" not shown\n");
    }
    for (PoolMemory.Pool pool : memory.pools()) {
      out.append("  ").append(pool(pool)).append('\n');
      if (pool.held() > 0 && pool.taken() != PoolMemory.Pool.UNKNOWN) {
        out.append("    held: ").append(held(pool)).append('\n');
      }
    }
    for (String line : memory.unexplained()) {
      out.append("  not explained: ").append(Wording.ascii(line)).append('\n');
    }
  }

  private static void holder(PoolMemory.Holder holder, Appendable out) throws IOException {
    out.append("  ").append(sentence(holder)).append('\n');
    out.append("    ").append(kept(holder)).append("\n    ");
    TreeReport.hops(holder.hops(), out);
    out.append('\n');
  }

  /** {@code 40 buffers of Session.keep:31 (640.0 KiB) hold 64.0 MiB of direct memory}. */
  static String sentence(PoolMemory.Holder holder) {
    long count = holder.buffers().count();
    Path.Hop last = holder.hops().get(holder.hops().size() - 1);
    return Wording.count(count)
        + (count == 1 ? " buffer of " : " buffers of ")
        + Wording.shortPlace(last)
        + " ("
        + Wording.bytes(holder.buffers().bytes())
        + (count == 1 ? ") holds " : ") hold ")
        + Wording.bytes(holder.held())
        + (holder.isDirect() ? " of direct memory" : " of the heap");
  }

  /** What becomes of it once the buffers are released. */
  static String kept(PoolMemory.Holder holder) {
    return "in "
        + Wording.count(holder.chunks())
        + (holder.chunks() == 1 ? " chunk, " : " chunks, ")
        + Wording.bytes(holder.alone())
        + " of it alone; their release gives back at least "
        + Wording.bytes(holder.returned());
  }

  /** An allocator's sum. */
  static String pool(PoolMemory.Pool pool) {
    return pool.allocator()
        + (pool.isDirect() ? ", direct: " : ", heap: ")
        + Wording.bytes(pool.bytes())
        + " = held by buffers "
        + Wording.bytes(pool.held())
        + " + idle "
        + Wording.bytes(pool.idle())
        + " + not located "
        + Wording.bytes(pool.notLocated());
  }

  /** What becomes of the bytes that are held. */
  private static String held(PoolMemory.Pool pool) {
    return Wording.bytes(pool.taken())
        + " of live buffers, "
        + Wording.bytes(pool.free())
        + " free, "
        + Wording.bytes(pool.other())
        + " other: caches of threads, rounding, free parts of pages in use, buffers that are not"
        + " followed";
  }
}
