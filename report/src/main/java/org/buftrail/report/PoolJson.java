package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.buftrail.model.PoolMemory;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code memory} of {@link SnapshotJson}, both ways: what allocators keep.
 *
 * <pre>
 * {"pools":[{"allocator":"PooledByteBufAllocator","direct":true,
 *            "bytes":..,"held":..,"idle":..,"notLocated":..,
 *            "taken":..,"free":..,"other":..},..],
 *  "holders":[{"path":{"hops":[..],"refs":[..],"sites":[..]},"direct":true,
 *              "buffers":..,"bufferBytes":..,"chunks":..,"held":..,"alone":..,"returned":..},..],
 *  "chunks":[{"pool":0,"size":..,"buffers":..,"taken":..,"free":..,"other":..,"holder":0},..],
 *  "unexplained":["..",..],
 *  "direct":{..}}
 * </pre>
 *
 * <p>Amounts are bytes but for {@code buffers} and {@code chunks}; they count buffers that are
 * followed. {@code held} are all bytes of the chunks in which the buffers lie, {@code alone} what
 * nothing else uses, and {@code returned} what the allocator certainly gives back once these
 * buffers are released. {@code pool} and {@code holder} are places in the lists; {@code holder} is
 * left out where a chunk has more than one. Snapshots of older agents do not say what becomes of
 * the bytes that a pool holds. {@code direct} is what {@link DirectJson} has.
 */
final class PoolJson {
  private static final List<String> AMOUNTS =
      List.of("buffers", "bufferBytes", "chunks", "held", "alone", "returned");

  private PoolJson() {}

  /** Writes the member, or nothing where nobody holds any. */
  static void write(@Nullable PoolMemory memory, JsonOut json) throws IOException {
    if (memory == null || memory.isEmpty()) {
      return;
    }
    json.name("memory").beginObject().name("pools").beginArray();
    for (PoolMemory.Pool pool : memory.pools()) {
      json.beginObject().name("allocator").value(pool.allocator());
      json.name("direct").value(pool.isDirect());
      json.name("bytes").value(pool.bytes()).name("held").value(pool.held());
      json.name("idle").value(pool.idle()).name("notLocated").value(pool.notLocated());
      if (pool.taken() != PoolMemory.Pool.UNKNOWN) {
        json.name("taken").value(pool.taken()).name("free").value(pool.free());
        json.name("other").value(pool.other());
      }
      json.endObject();
    }
    json.endArray().name("holders").beginArray();
    for (PoolMemory.Holder holder : memory.holders()) {
      holder(holder, json.newLine());
    }
    json.endArray().name("chunks").beginArray();
    for (PoolMemory.Chunk chunk : memory.chunks()) {
      chunk(chunk, json);
    }
    json.endArray();
    if (!memory.unexplained().isEmpty()) {
      json.name("unexplained").texts(memory.unexplained());
    }
    DirectJson.write(memory.direct(), json);
    json.endObject();
  }

  private static void holder(PoolMemory.Holder holder, JsonOut json) throws IOException {
    json.beginObject().name("path").beginObject();
    SnapshotJson.hops(holder.hops(), json);
    json.endObject().name("direct").value(holder.isDirect());
    json.name("buffers").value(holder.buffers().count());
    json.name("bufferBytes").value(holder.buffers().bytes());
    json.name("chunks").value(holder.chunks()).name("held").value(holder.held());
    json.name("alone").value(holder.alone()).name("returned").value(holder.returned());
    json.endObject();
  }

  private static void chunk(PoolMemory.Chunk chunk, JsonOut json) throws IOException {
    json.beginObject().name("pool").value(chunk.pool()).name("size").value(chunk.size());
    json.name("buffers").value(chunk.buffers().count());
    json.name("taken").value(chunk.buffers().bytes());
    json.name("free").value(chunk.free()).name("other").value(chunk.other());
    if (chunk.holder() != PoolMemory.Chunk.SHARED) {
      json.name("holder").value(chunk.holder());
    }
    json.endObject();
  }

  /** Reads the member's value. */
  static PoolMemory read(JsonIn in, PathJsonReader paths) throws IOException {
    List<PoolMemory.Pool> pools = List.of();
    List<PoolMemory.Holder> holders = List.of();
    List<PoolMemory.Chunk> chunks = List.of();
    List<String> unexplained = List.of();
    DirectMemory direct = null;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "pools":
          pools = in.list(PoolJson::pool);
          break;
        case "holders":
          holders = in.list(each -> holder(each, paths));
          break;
        case "chunks":
          chunks = in.list(PoolJson::chunk);
          break;
        case "unexplained":
          unexplained = in.list(JsonIn::string);
          break;
        case "direct":
          direct = DirectJson.read(in, paths);
          break;
        default:
          in.skip();
      }
    }
    return new PoolMemory(pools, holders, chunks, unexplained).with(direct);
  }

  private static PoolMemory.Holder holder(JsonIn in, PathJsonReader paths) throws IOException {
    List<Path.Hop> hops = null;
    boolean direct = false;
    long[] amounts = new long[AMOUNTS.size()];
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      int at = AMOUNTS.indexOf(name);
      if (at >= 0) {
        amounts[at] = amount(in);
      } else if (name.equals("path")) {
        hops = paths.path().hops();
      } else if (name.equals("direct")) {
        direct = in.bool();
      } else {
        in.skip();
      }
    }
    if (hops == null) {
      throw in.fault("what holds memory has no \"path\"");
    }
    Path.Flows buffers = new Path.Flows(amounts[0], amounts[1]);
    return new PoolMemory.Holder(
        hops, direct, buffers, amounts[2], amounts[3], amounts[4], amounts[5]);
  }

  private static PoolMemory.Pool pool(JsonIn in) throws IOException {
    String allocator = "";
    boolean direct = false;
    long bytes = 0;
    long held = 0;
    long idle = 0;
    long taken = PoolMemory.Pool.UNKNOWN;
    long free = PoolMemory.Pool.UNKNOWN;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "allocator":
          allocator = in.string();
          break;
        case "direct":
          direct = in.bool();
          break;
        case "bytes":
          bytes = amount(in);
          break;
        case "held":
          held = amount(in);
          break;
        case "idle":
          idle = amount(in);
          break;
        case "taken":
          taken = amount(in);
          break;
        case "free":
          free = amount(in);
          break;
        default:
          in.skip();
      }
    }
    return new PoolMemory.Pool(allocator, direct, bytes, held, idle).with(taken, free);
  }

  private static PoolMemory.Chunk chunk(JsonIn in) throws IOException {
    long pool = 0;
    long size = 0;
    long buffers = 0;
    long taken = 0;
    long free = 0;
    long holder = PoolMemory.Chunk.SHARED;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "pool":
          pool = in.wholeNumber(0, Integer.MAX_VALUE);
          break;
        case "size":
          size = amount(in);
          break;
        case "buffers":
          buffers = amount(in);
          break;
        case "taken":
          taken = amount(in);
          break;
        case "free":
          free = amount(in);
          break;
        case "holder":
          holder = in.wholeNumber(0, Integer.MAX_VALUE);
          break;
        default:
          in.skip();
      }
    }
    Path.Flows flows = new Path.Flows(buffers, taken);
    return new PoolMemory.Chunk((int) pool, size, flows, free, (int) holder);
  }

  private static long amount(JsonIn in) throws IOException {
    return in.wholeNumber(0, Long.MAX_VALUE);
  }
}
