import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, usual } from "../src/kinds.ts";
import { Model } from "../src/model.ts";
import type { PageJson } from "../src/pagejson.ts";
import { RETURNED } from "../src/returns.ts";
import { allocatorName, rootName } from "../src/roots.ts";
import { streamsOf } from "../src/streams.ts";
import { differences } from "../src/unlike.ts";

interface Flow {
  hops: string;
  leaked?: number;
  released?: number;
  direct?: boolean;
}

/** Flows on paths of hops such as `a.B.read:9`, merged as the Java side merges them. */
function flows(...all: Flow[]): Model {
  const names: string[] = [];
  const frames: { name: number[]; line: number[] } = { name: [], line: [] };
  const nodes = { up: [] as number[], frame: [] as number[], ref: [] as number[] };
  const known = new Map<string, number>();
  const index = <T>(list: T[], value: T) => (list.includes(value) ? list.indexOf(value) : list.push(value) - 1);
  const places: string[] = [];
  const ends = all.map(({ hops }) => {
    let parent = -1;
    let key = "";
    for (const hop of hops.split(" ")) {
      key += ` ${hop}`;
      let node = known.get(key);
      if (node === undefined) {
        const [name, line = "0"] = hop.split(":");
        const frame = index(places, hop);
        if (frame === frames.name.length) {
          frames.name.push(index(names, name));
          frames.line.push(Number(line));
        }
        node = nodes.up.length;
        nodes.up.push(parent < 0 ? 0 : node - parent);
        nodes.frame.push(frame);
        nodes.ref.push(hop.endsWith(".release") ? 1 : 0);
        known.set(key, node);
      }
      parent = node;
    }
    return parent;
  });
  const column = (value: (flow: Flow) => number) => all.map(value);
  const none = column(() => 0);
  const json: PageJson = {
    format: "buftrail.page",
    version: 1,
    kind: "flows",
    names,
    frames,
    nodes,
    refs: ["1-2", "0"],
    paths: {
      node: ends,
      direct: column(({ direct = true }) => (direct ? 1 : 0)),
      resource: none,
      released: column(({ released = 0 }) => released),
      releasedBytes: column(({ released = 0 }) => 10 * released),
      leaked: column(({ leaked = 0 }) => leaked),
      leakedBytes: column(({ leaked = 0 }) => 10 * leaked),
      live: none,
      liveBytes: none,
      oldest: column(() => -1),
      median: column(() => -1),
    },
  };
  return new Model(json);
}

const POOLED = "io.netty.buffer.PooledByteBufAllocator";

function path(model: Model, at: number): string {
  return model.trie.pathTo(model.paths.node[at]).slice(1).map((node) => model.shortPlace(node)).join(" ");
}

test("what a method returns is a hop of the method, but where it was lost", () => {
  const model = flows(
    { hops: `${POOLED}.buffer s.A.stage:36 s.A.stage_return:36 s.A.handle:25`, released: 5 },
    { hops: `${POOLED}.buffer s.A.stage:36 s.A.handle:25 s.A.drop:9`, leaked: 1 },
    { hops: `${POOLED}.buffer s.A.stage:36 s.A.stage_return:36`, leaked: 2 },
    { hops: `${POOLED}.buffer s.B.read_return:7 s.A.handle:25`, released: 3 },
  );
  assert.deepEqual([0, 1, 2, 3].map((at) => path(model, at)), ["A.stage:36 A.handle:25", "A.stage:36 A.handle:25 A.drop:9", "A.stage:36 A.stage:36", "B.read:7 A.handle:25"]);
  const [first, second, lost] = model.paths.node;
  assert.equal(model.trie.parent[second], first);
  assert.equal(model.shortEnd(lost), "A.stage:36, returned");
  assert.equal(model.marks(lost), RETURNED);
  assert.equal(model.flowSeries("leaked", "count").sum, 3);
  assert.equal(model.flowSeries("allocated", "count").at(model.trie.pathTo(first)[1]), 8);
  const names = streamsOf(model, "count", 400, 6, () => true).stations.map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.includes("stage")), ["A.stage:36"]);
});

test("stacks that are broken stay as they are", () => {
  const { json } = flows({ hops: "a.B.c a.B.d" });
  const broken = { ...json, names: ["a.B.c", "a.B.d_return"], nodes: { ...json.nodes, up: [0, 9] } };
  assert.deepEqual(new Model(broken).json.nodes, broken.nodes);
});

test("roots are told apart by allocator and memory", () => {
  const model = flows(
    { hops: `${POOLED}.directBuffer a.B.c` },
    { hops: `${POOLED}.compositeDirectBuffer a.B.c` },
    { hops: `${POOLED}.ioBuffer a.B.c`, direct: false },
    { hops: "io.netty.buffer.AdaptiveByteBufAllocator.compositeBuffer a.B.c" },
    { hops: "io.netty.buffer.Unpooled.wrappedBuffer a.B.c", direct: false },
  );
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => rootName(model, at)), ["Pooled direct", "Pooled composite direct", "Pooled heap", "Adaptive composite direct", "Unpooled wrapped heap"]);
  assert.deepEqual([allocatorName("UnpooledByteBufAllocator.heapBuffer", "heap"), allocatorName("A.buffers", "heap")], ["Unpooled heap", null]);
});

test("paths that end alike are told apart by the hops in which they differ", () => {
  const model = flows(
    { hops: `${POOLED}.buffer s.Hello.handle:14 s.Log.write:28` },
    { hops: `${POOLED}.buffer s.Order.stage:36 s.Order.handle:25 s.Log.write:28` },
    { hops: `${POOLED}.buffer s.Order.stage:40 s.Order.handle:25 s.Log.write:28` },
    { hops: `${POOLED}.buffer s.Order.refuse:48` },
  );
  const { unlike, hasEqualEnds } = differences(model, (at) => model.paths.node[at]);
  assert.ok(hasEqualEnds);
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => unlike(at).map((node) => model.shortPlace(node)).join(" ")),
    ["Hello.handle:14", "Order.stage:36 Order.handle:25", "Order.stage:40 Order.handle:25", ""],
  );
  assert.equal(differences(flows({ hops: "a.B.c" }, { hops: "a.B.d" }), (at) => at).hasEqualEnds, false);
});

const profile = (name: string, unit: string, ...values: number[]) => ({ name, type: name, unit, nodes: values.map((_, i) => i), values });

test("kinds stand in groups, and what leaked is looked at first", () => {
  assert.deepEqual(grouped(["cpu", "alloc_sampled", "live_old", "lock_park", "flow_leaked", "socket_write", "gc_pause", "widgets"]).map(({ name, kinds }) => `${name}: ${kinds}`), [
    "Netty: flow_leaked",
    "CPU: cpu",
    "Memory: alloc_sampled,live_old",
    "Locks: lock_park",
    "I/O: socket_write",
    "JVM: gc_pause",
    "Others: widgets",
  ]);
  assert.deepEqual(grouped(["cpu", "wall"]), [{ name: "", kinds: ["cpu", "wall"] }]);
  const profiles = [profile("cpu", "count", 5), profile("flow_leaked", "count", 2), profile("flow_leaked", "bytes", 0, 64)];
  assert.equal(usual(profiles), 2);
  assert.equal(usual([profiles[0], profile("flow_leaked", "count", 0)]), 0);
});
