import assert from "node:assert/strict";
import { test } from "node:test";
import { EVERYTHING, type Focus, focusOf, layOut } from "../src/layout.ts";
import { matcher } from "../src/matcher.ts";
import { Model } from "../src/model.ts";
import type { PageJson } from "../src/pagejson.ts";
import { Projection, UNCHANGED } from "../src/projection.ts";
import { streamsOf } from "../src/streams.ts";
import { BottomUp, TopDown, type View } from "../src/view.ts";
import { zoomOf, zoomText } from "../src/zoom.ts";

// Stacks, root first, with their values; every frame is a name without a line.
function model(...stacks: [string, number][]): Model {
  const names: string[] = [];
  const up: number[] = [];
  const frame: number[] = [];
  const known = new Map<string, number>();
  const nodes: number[] = [];
  for (const [stack] of stacks) {
    let at = -1;
    let path = "";
    for (const name of stack.split(" ")) {
      path += ` ${name}`;
      if (!names.includes(name)) {
        names.push(name);
      }
      let node = known.get(path);
      if (node === undefined) {
        node = up.length;
        known.set(path, node);
        up.push(at < 0 ? 0 : node - at);
        frame.push(names.indexOf(name));
      }
      at = node;
    }
    nodes.push(at);
  }
  const json: PageJson = {
    format: "buftrail.page",
    version: 1,
    kind: "profiles",
    names,
    frames: { name: names.map((_, i) => i), line: names.map(() => 0) },
    nodes: { up, frame },
    profiles: [{ name: "cpu", type: "samples", unit: "count", nodes, values: stacks.map(([, value]) => value) }],
  };
  return new Model(json);
}

/** A view as text: every path of it with its value, in order. */
function paths(of: Model, view: View, node = -1, path = ""): string[] {
  return Array.from(view.children(node))
    .filter((child) => view.total(child) > 0)
    .sort((a, b) => view.total(b) - view.total(a))
    .flatMap((child) => {
      const here = `${path} ${of.placeOf(view.frame(child))}`.trim();
      return [`${here}: ${view.total(child)}`, ...paths(of, view, child, here)];
    });
}

const STACKS: [string, number][] = [
  ["main a b a c", 5],
  ["main a d", 2],
  ["main b", 4],
];

function changed(of: Model, change: Partial<typeof UNCHANGED>): TopDown {
  return new TopDown(Projection.changed(of.trie, of.nameOf, { ...UNCHANGED, ...change }), [of.profileSeries(0)]);
}

test("from the bottom up, each value begins where it is spent", () => {
  const m = model(...STACKS);
  const view = BottomUp.of(Projection.of(m.trie), [m.profileSeries(0)]);
  assert.equal(view.total(-1), 11);
  assert.deepEqual(paths(m, view), ["c: 5", "c a: 5", "c a b: 5", "c a b a: 5", "c a b a main: 5", "b: 4", "b main: 4", "d: 2", "d a: 2", "d a main: 2"]);
});

test("callers and callees of a function begin at its outermost call", () => {
  const m = model(...STACKS);
  const series = [m.profileSeries(0)];
  const a = m.json.names.indexOf("a");
  const callers = BottomUp.callers(Projection.of(m.trie), series, m.nameOf, a);
  assert.equal(callers.total(-1), 7);
  assert.deepEqual(paths(m, callers), ["main: 7"]);
  const callees = changed(m, { root: a });
  assert.equal(callees.total(-1), 7);
  assert.deepEqual(paths(m, callees), ["b: 5", "b a: 5", "b a c: 5", "d: 2"]);
  assert.equal(changed(m, { root: m.json.names.indexOf("b") }).self(-1), 4);
});

test("recursion is merged, direct and through others", () => {
  const m = model(...STACKS, ["main a a a", 3]);
  assert.deepEqual(paths(m, changed(m, { recursion: true })), ["main: 14", "main a: 10", "main a c: 5", "main a d: 2", "main b: 4"]);
});

test("hidden functions leave their callees to their callers", () => {
  const m = model(...STACKS);
  assert.deepEqual(paths(m, changed(m, { hidden: new Set([m.json.names.indexOf("a")]) })), ["main: 11", "main b: 9", "main b c: 5", "main d: 2"]);
});

test("only stacks through a function are left", () => {
  const m = model(...STACKS);
  const view = changed(m, { only: m.json.names.indexOf("b") });
  assert.equal(view.total(-1), 9);
  assert.deepEqual(paths(m, view).filter((path) => path.includes("d")), []);
});

test("no value is lost or made by any of it", () => {
  const m = model(...STACKS);
  for (const change of [{ recursion: true }, { hidden: new Set([0, 1]) }, { hidden: new Set([0]), recursion: true }]) {
    const projection = Projection.changed(m.trie, m.nameOf, { ...UNCHANGED, ...change });
    assert.equal(new TopDown(projection, [m.profileSeries(0)]).total(-1), 11);
    assert.equal(BottomUp.of(projection, [m.profileSeries(0)]).total(-1) + new TopDown(projection, [m.profileSeries(0)]).self(-1), 11);
  }
});

test("folds open until every frame is drawn", () => {
  const leaves = 5_000;
  const m = model(...Array.from({ length: leaves }, (_, i): [string, number] => [`main leaf${i}`, 1 + (i % 3)]));
  const view = new TopDown(Projection.of(m.trie), [m.profileSeries(0)]);
  const seen = new Set<number>();
  const open = (focus: Focus, depth: number) => {
    assert.ok(depth < 6, "a click goes on");
    for (const box of layOut(view, focus, 1_000).boxes) {
      if (box.folded === 0) {
        seen.add(box.node);
      } else if (!(box.node === focus.node && focusOf(box).from === focus.from && focusOf(box).to === focus.to)) {
        open(focusOf(box), depth + 1);
      }
    }
  };
  open(EVERYTHING, 0);
  assert.equal(seen.size, leaves + 2);
});

test("a zoom is found again by its names", () => {
  const m = model(...STACKS);
  const other = model(["main z", 50], ...STACKS);
  const view = new TopDown(Projection.of(m.trie), [m.profileSeries(0)]);
  const later = new TopDown(Projection.of(other.trie), [other.profileSeries(0)]);
  const text = zoomText(m, view, { node: 2, from: 0, to: 0 });
  const found = zoomOf(other, later, text);
  assert.equal(other.trie.pathTo(found.node).map((node) => other.place(node)).join(" "), "main a b");
  assert.deepEqual(zoomOf(m, view, `${text}~3-7`), { node: 2, from: 3, to: 7 });
  assert.deepEqual(zoomOf(m, view, "nonsense"), EVERYTHING);
});

test("a search is a regular expression, and also the text as it stands", () => {
  const test = (term: string, text: string) => matcher(term)?.(text);
  assert.equal(test("Load.*run", "com.example.Load$1.run"), true);
  assert.equal(test("Json$Codec", "com.example.Json$Codec.encode"), true);
  assert.equal(test("^com\\.(a|b)\\.", "com.c.a.b."), false);
  assert.equal(test("(", "C.m(int)"), true);
  assert.equal(matcher(" "), null);
});

test("streams keep every value from column to column", () => {
  const json: PageJson = {
    format: "buftrail.page",
    version: 1,
    kind: "flows",
    names: ["n.Alloc.make", "a.A.read", "a.B.drop", "io.netty.buffer.ByteBuf.release", "a.C.x", "a.C.y", "a.C.z", "a.C.w", "a.C.end"],
    frames: { name: [0, 1, 2, 3, 4, 5, 6, 7, 8], line: [0, 9, 4, 0, 1, 2, 3, 4, 5] },
    nodes: { up: [0, 1, 1, 2, 2, 1, 1, 1, 1], frame: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
    paths: {
      node: [2, 3, 8],
      direct: [1, 1, 1],
      resource: [0, 0, 0],
      released: [0, 10, 0],
      releasedBytes: [0, 100, 0],
      leaked: [3, 0, 0],
      leakedBytes: [30, 0, 0],
      live: [1, 0, 2],
      liveBytes: [5, 0, 20],
      oldest: [1, -1, 1],
      median: [1, -1, 1],
    },
  };
  const { columns, stations, streams } = streamsOf(new Model(json), "bytes", 400, 6, () => true);
  const names = (column: number) => stations.filter((station) => station.column === column).map(({ name, value }) => `${name} ${value}`).sort();
  assert.equal(columns, 7);
  assert.deepEqual(names(0), ["Alloc.make, direct 155"]);
  assert.deepEqual(names(1), ["A.read:9 155"]);
  assert.deepEqual(names(4), ["… 20"]);
  assert.deepEqual(names(6), ["leaked 30", "live 25", "released 100"]);
  for (const station of stations) {
    const index = stations.indexOf(station);
    const into = streams.filter(({ to }) => to === index).reduce((sum, { value }) => sum + value, 0);
    const out = streams.filter(({ from }) => from === index).reduce((sum, { value }) => sum + value, 0);
    assert.equal(station.column === 0 ? out : into, station.value);
  }
  const red = streams.filter(({ end }) => end === "leaked").sort((a, b) => b.to - a.to);
  assert.deepEqual(red.map(({ path, value }) => [path, value]), red.map(() => [0, 30]));
});
