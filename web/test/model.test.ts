import assert from "node:assert/strict";
import { test } from "node:test";
import { EVERYTHING, layOut, MAX_BOXES } from "../src/layout.ts";
import type { PageJson } from "../src/pagejson.ts";
import { TopDown } from "../src/view.ts";
import { Projection } from "../src/projection.ts";
import { functionRows, Model } from "../src/model.ts";
import { sourceOf } from "../src/source.ts";
import { age, amount, bytes, nanoseconds, packageOf, rate, shortName } from "../src/words.ts";

// a.main -> b.read -> c.parse; a.main -> b.write; d.idle
function page(): PageJson {
  return {
    format: "buftrail.page",
    version: 1,
    kind: "profiles",
    names: ["a.main", "b.read", "c.parse", "b.write", "d.idle"],
    frames: { name: [0, 1, 2, 3, 4], line: [0, 7, 0, 0, 0] },
    nodes: { up: [0, 1, 1, 3, 0], frame: [0, 1, 2, 3, 4] },
    profiles: [{ name: "cpu", type: "samples", unit: "count", nodes: [1, 2, 3, 4], values: [1, 6, 2, 1] }],
  };
}

function top(model: Model): TopDown {
  return new TopDown(Projection.of(model.trie), [model.profileSeries(0)]);
}

test("children and paths", () => {
  const { trie } = new Model(page());
  assert.deepEqual([...trie.children(-1)], [0, 4]);
  assert.deepEqual([...trie.children(0)], [1, 3]);
  assert.deepEqual([...trie.children(4)], []);
  assert.deepEqual(trie.pathTo(2), [0, 1, 2]);
});

test("totals add up from the leaves", () => {
  const series = new Model(page()).profileSeries(0);
  assert.deepEqual([...series.total], [9, 7, 6, 2, 1]);
  assert.equal(series.at(-1), 10);
});

test("places have lines where they are known", () => {
  const model = new Model(page());
  assert.equal(model.place(1), "b.read:7");
  assert.equal(model.place(2), "c.parse");
});

test("a search counts nested matches once", () => {
  const model = new Model(page());
  const matches = model.search("B.");
  assert.ok(matches);
  assert.deepEqual([...matches.hit], [0, 1, 0, 1, 0]);
  assert.deepEqual([...matches.under], [0, 1, 1, 1, 0]);
  assert.equal(model.matched(matches, model.profileSeries(0)), 9);
  assert.equal(model.search("  "), null);
});

test("functions have self and total, recursion counted once", () => {
  const json = page();
  json.frames.name = [0, 1, 1, 3, 4];
  const model = new Model(json);
  const rows = functionRows(model, model.profileSeries(0));
  assert.deepEqual(rows[0], { name: "b.read", self: 7, total: 7 });
  assert.deepEqual(rows.find((row) => row.name === "a.main"), { name: "a.main", self: 0, total: 9 });
});

test("the layout shares the width by value, largest first", () => {
  const model = new Model(page());
  const { boxes, rows } = layOut(top(model), EVERYTHING, 1000);
  const find = (node: number) => boxes.find((box) => box.node === node);
  assert.equal(rows, 4);
  assert.deepEqual({ x: find(0)?.x, width: find(0)?.width, row: find(0)?.row }, { x: 0, width: 900, row: 1 });
  assert.deepEqual({ x: find(4)?.x, width: find(4)?.width, row: find(4)?.row }, { x: 900, width: 100, row: 1 });
  assert.deepEqual({ x: find(2)?.x, width: find(2)?.width, row: find(2)?.row }, { x: 0, width: 600, row: 3 });
});

test("zooming keeps the callers above", () => {
  const model = new Model(page());
  const { boxes } = layOut(top(model), { node: 1, from: 0, to: 0 }, 700);
  assert.deepEqual(boxes.map((box) => [box.node, box.row, box.width, box.above]), [
    [-1, 0, 700, true],
    [0, 1, 700, true],
    [1, 2, 700, false],
    [2, 3, 600, false],
  ]);
});

test("frames too narrow to see are one box, and boxes are bounded", () => {
  const n = 200_000;
  const json = page();
  json.nodes = { up: Array.from({ length: n }, (_, i) => (i % 40 === 0 ? 0 : 1)), frame: new Array(n).fill(0) };
  json.profiles = [{ name: "cpu", type: "samples", unit: "count", nodes: [...Array(n).keys()], values: new Array(n).fill(1) }];
  const model = new Model(json);
  const { boxes } = layOut(top(model), EVERYTHING, 1000);
  assert.ok(boxes.length <= MAX_BOXES);
  assert.deepEqual([boxes[1].folded, Math.round(boxes[1].width)], [5000, 1000]);
});

test("another version is refused", () => {
  assert.throws(() => new Model({ ...page(), version: 2 }), /version 2, it can show buftrail.page version 1/);
});

test("figures are worded like the text reports", () => {
  assert.deepEqual([0, 1023, 1024, 1_048_575].map(bytes), ["0 B", "1023 B", "1.0 KiB", "1.0 MiB"]);
  assert.deepEqual([999, 59_999, 3_600_000, 86_400_000].map(age), ["999 ms", "59.9 s", "1 h 0 min", "1 d 0 h"]);
  assert.deepEqual([5, 1500, 10e9].map(nanoseconds), ["5 ns", "1.5 µs", "10.0 s"]);
  assert.deepEqual([amount(7, "count"), amount(7, "widgets")], ["7", "7 widgets"]);
});

test("only JVM frames are shortened", () => {
  const json = page();
  json.names[0] = "libc.so.6+0xff";
  json.names[4] = "com.example.C.m";
  json.types = ["native", "jvm"];
  json.frames.type = [0, 1, 1, 1, 1];
  const model = new Model(json);
  assert.equal(model.shortPlace(0), "libc.so.6+0xff");
  assert.equal(model.shortPlace(4), "C.m");
});

test("short names keep class and method", () => {
  assert.equal(shortName("com.example.Outer$Inner.m"), "Outer$Inner.m");
  assert.equal(shortName("com.example.C.m(java.lang.String, int):31"), "C.m:31");
  assert.equal(shortName("com.example.Load$$Lambda.0x0000000084041c30.run"), "Load$$Lambda.0x0000000084041c30.run");
  assert.equal(shortName("Load$$Lambda.0x0000000084041c30.run"), "Load$$Lambda.0x0000000084041c30.run");
  assert.equal(shortName("a.b.C$$Lambda$123+0x00007f6c100a7470.2084090121.call(int):3"), "C$$Lambda$123.call:3");
  assert.equal(shortName("java.lang.invoke.LambdaForm$DMH+0x00007f6c10001c00.355629945.newInvokeSpecial"), "LambdaForm$DMH.newInvokeSpecial");
  assert.equal(shortName("finish_task_switch.isra.0"), "finish_task_switch.isra.0");
  assert.equal(shortName("libc.so.6.read"), "libc.so.6.read");
  assert.equal(packageOf("com.example.Outer$Inner.m"), "com.example.");
  assert.equal(packageOf("libc.so.6.read"), "");
  assert.equal(shortName("main"), "main");
});

test("a comparison has both sides, and both together", () => {
  const json = page();
  json.kind = "diff";
  json.profiles = [{ name: "", type: "leaked_space", unit: "bytes", nodes: [2, 3], values: [0, 5], base: [7, 1] }];
  const model = new Model(json);
  assert.equal(model.diffSeries(0, "base").at(-1), 8);
  assert.equal(model.diffSeries(0, "new").at(-1), 5);
  assert.deepEqual([...model.diffSeries(0, "both").total], [13, 7, 7, 6, 0]);
});

test("rates are in the unit that shows one flow or more", () => {
  assert.equal(rate(120, 120 * 1024, 60_000), "2.0 flows/s, 2.0 KiB/s");
  assert.equal(rate(30, 3_000, 3_600_000), "30 flows/h, 2.9 KiB/h");
  assert.equal(rate(60, 60, 3_600_000), "1.0 flow/min, 1 B/min");
});

// a.make -> b.use, with counts 1-2 and 3-5; c.drop
function flows(): PageJson {
  const columns = { releasedBytes: [0, 0, 0], live: [1, 0, 0], liveBytes: [5, 0, 0], oldest: [9, -1, -1], median: [9, -1, -1] };
  return {
    format: "buftrail.page",
    version: 1,
    kind: "flows",
    takenAt: "1970-01-01T00:00:10Z",
    names: ["a.make", "b.use", "c.drop"],
    frames: { name: [0, 1, 2], line: [0, 0, 0] },
    refs: ["1-2", "3-5"],
    nodes: { up: [0, 1, 2, 0], frame: [0, 1, 1, 2], ref: [0, 0, 1, 0] },
    paths: { node: [1, 2, 3], direct: [1, 1, 0], resource: [0, 0, 0], released: [0, 0, 2], leaked: [3, 1, 0], leakedBytes: [30, 10, 0], ...columns },
    unreleased: { path: [0, 2], held: [6, 0], dropped: [0, 4], bytes: [0, 40] },
    leaks: { path: [0, 1], with: [0, 0] },
    seen: { path: [0, 1], first: [7000, 4000], last: [8000, 5000] },
  };
}

test("paths that differ in reference counts alone are one leak", () => {
  const model = new Model(flows());
  assert.deepEqual(model.leaks(), [[0, 1]]);
  assert.deepEqual(model.leakTimes([0, 1]), { first: 4000, last: 8000, since: 6000 });
  assert.equal(model.leakTimes([2]), null);
});

test("what is held or dropped is allocated, and no leak", () => {
  const model = new Model(flows());
  assert.equal(model.flowSeries("leaked", "count").sum, 4);
  assert.equal(model.flowSeries("dropped", "count").sum, 4);
  assert.equal(model.flowSeries("dropped", "bytes").sum, 40);
  assert.equal(model.flowSeries("allocated", "count").sum, 2 + 4 + 6 + 4 + 1);
  assert.equal(model.flowSeries("allocated", "bytes").sum, 40 + 40 + 5);
});

test("the user's own methods have addresses of their source, and nothing else has", () => {
  const json = page();
  json.names = ["com.example.Outer$Inner.run(int)", "java.lang.Thread.run", "com.example.A\"><script>.x", "io.netty.B.c", "com.example.Main$$Lambda.0x7f.call"];
  json.frames.line = [31, 7, 0, 0, 0];
  const of = (source: string) => [0, 1, 2, 3, 4].map((frame) => sourceOf(new Model({ ...json, source }), frame));
  assert.deepEqual(of("https://git.example/blob/main/{path}#L{line}"), ["https://git.example/blob/main/com/example/Outer.java#L31", "", "", "", "https://git.example/blob/main/com/example/Main.java#L1"]);
  assert.equal(of("idea://open?file=/home/me/{path}&line={line}")[0], "idea://open?file=/home/me/com/example/Outer.java&line=31");
  for (const bad of ["", "javascript:alert(1)//{path}", " https://x/{path}", "data:text/html,{path}", 'https://x/{path}"onclick=', "file:///{path}"]) {
    assert.deepEqual(of(bad), ["", "", "", "", ""], bad);
  }
});

test("returns are folded in the flows of a recording, and no other method loses its name", () => {
  const model = new Model({
    format: "buftrail.page",
    version: 1,
    kind: "profiles",
    names: ["a.Alloc.direct", "b.Stage.stage", "b.Stage.stage_return", "b.Last.end", "c.Cpu.tax", "c.Cpu.tax_return"],
    frames: { name: [0, 1, 2, 3, 4, 5], line: [0, 7, 7, 9, 0, 0] },
    // direct > stage > stage_return > end, and tax > tax_return, which is a method
    nodes: { up: [0, 1, 1, 1, 0, 1], frame: [0, 1, 2, 3, 4, 5] },
    profiles: [
      { name: "flow_leaked", type: "leaked_objects", unit: "count", nodes: [2, 3], values: [1, 4] },
      { name: "cpu", type: "samples", unit: "count", nodes: [5], values: [2] },
    ],
  });
  const stacks = (profile: number) => model.json.profiles?.[profile].nodes.map((node) => model.trie.pathTo(node).map((at) => model.place(at)).join(" "));
  assert.deepEqual(stacks(0), ["a.Alloc.direct b.Stage.stage:7 b.Stage.stage:7", "a.Alloc.direct b.Stage.stage:7 b.Last.end:9"]);
  assert.deepEqual(stacks(1), ["c.Cpu.tax c.Cpu.tax_return"]);
  assert.deepEqual([...model.profileSeries(0).total], [5, 5, 1, 4, 0, 0]);
});
