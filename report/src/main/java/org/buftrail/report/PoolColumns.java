package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.buftrail.model.PoolMemory;
import org.buftrail.profile.html.PageColumns;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** What allocators keep, and by which buffers, as columns of the page. */
final class PoolColumns {
  private PoolColumns() {}

  /**
   * Writes the member {@code memory}, or nothing where nobody holds any.
   *
   * @param nodes where the path of each holder ends
   */
  static void write(@Nullable PoolMemory memory, int[] nodes, JsonOut json) throws IOException {
    if (memory == null || memory.isEmpty()) {
      return;
    }
    json.name("memory").beginObject();
    pools(memory.pools(), json);
    holders(memory.holders(), nodes, json);
    chunks(memory.chunks(), json);
    PageColumns.texts(json, "unexplained", memory.unexplained());
    DirectJson.writeForPage(memory.direct(), json);
    json.endObject();
  }

  private static void pools(List<PoolMemory.Pool> pools, JsonOut json) throws IOException {
    json.name("pools").beginObject();
    PageColumns.texts(
        json,
        "allocator",
        pools.stream().map(PoolMemory.Pool::allocator).collect(Collectors.toUnmodifiableList()));
    column(json, "direct", pools, pool -> pool.isDirect() ? 1 : 0);
    column(json, "bytes", pools, PoolMemory.Pool::bytes);
    column(json, "held", pools, PoolMemory.Pool::held);
    column(json, "idle", pools, PoolMemory.Pool::idle);
    column(json, "notLocated", pools, PoolMemory.Pool::notLocated);
    column(json, "taken", pools, PoolMemory.Pool::taken);
    column(json, "free", pools, PoolMemory.Pool::free);
    column(json, "other", pools, PoolMemory.Pool::other);
    json.endObject();
  }

  private static void holders(List<PoolMemory.Holder> holders, int[] nodes, JsonOut json)
      throws IOException {
    json.name("holders").beginObject();
    PageColumns.column(json, "node", nodes.length, i -> nodes[i]);
    column(json, "direct", holders, holder -> holder.isDirect() ? 1 : 0);
    column(json, "buffers", holders, holder -> holder.buffers().count());
    column(json, "bufferBytes", holders, holder -> holder.buffers().bytes());
    column(json, "chunks", holders, PoolMemory.Holder::chunks);
    column(json, "held", holders, PoolMemory.Holder::held);
    column(json, "alone", holders, PoolMemory.Holder::alone);
    column(json, "returned", holders, PoolMemory.Holder::returned);
    json.endObject();
  }

  private static void chunks(List<PoolMemory.Chunk> chunks, JsonOut json) throws IOException {
    json.name("chunks").beginObject();
    column(json, "pool", chunks, PoolMemory.Chunk::pool);
    column(json, "size", chunks, PoolMemory.Chunk::size);
    column(json, "buffers", chunks, chunk -> chunk.buffers().count());
    column(json, "taken", chunks, chunk -> chunk.buffers().bytes());
    column(json, "free", chunks, PoolMemory.Chunk::free);
    column(json, "other", chunks, PoolMemory.Chunk::other);
    column(json, "holder", chunks, PoolMemory.Chunk::holder);
    json.endObject();
  }

  private static <T> void column(JsonOut json, String name, List<T> rows, ToLongFunction<T> value)
      throws IOException {
    PageColumns.column(json, name, rows.size(), i -> value.applyAsLong(rows.get(i)));
  }
}
