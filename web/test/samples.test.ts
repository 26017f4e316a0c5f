import assert from "node:assert/strict";
import { test } from "node:test";
import { Filter } from "../src/filter.ts";
import { addTo, darkest, darkness, emptyGrid } from "../src/heatgrid.ts";
import { Model } from "../src/model.ts";
import type { PageJson } from "../src/pagejson.ts";
import { AllSamples, unpacked } from "../src/samples.ts";

const place = { hash: "", pathname: "/", search: "" };
const goTo = (_: unknown, __: string, address: string) => (place.hash = address.includes("#") ? address.slice(address.indexOf("#")) : "");
Object.assign(globalThis, { location: place, history: { pushState: goTo, replaceState: goTo } });

// Nodes a, a b, a c. At 0 ms b in the thread "x", 1; at 20 ms c in "y", 32; at 1,000 ms b in "y", 1,000.
function json(): PageJson {
  return {
    format: "buftrail.page",
    version: 1,
    kind: "profiles",
    names: ["a", "b", "c"],
    frames: { name: [0, 1, 2], line: [0, 0, 0] },
    nodes: { up: [0, 1, 2], frame: [0, 1, 2] },
    start: 5,
    threads: ["x", "y"],
    traces: ["(no trace)", "ab", "(2 other traces)"],
    samples: [{ stacks: [1, 2], stack: "ABA", thread: "ABB", trace: "ABC", grain: 20, time: "ABxB", values: ["BgBof"] }],
    profiles: [
      { name: "cpu", type: "samples", unit: "count", nodes: [1, 2], values: [1001, 32], samples: 0, column: 0 },
      { name: "old", type: "samples", unit: "count", nodes: [1, 2], values: [7, 8] },
    ],
  };
}

function filter(hash = ""): { model: Model; filter: Filter } {
  place.hash = hash;
  const model = new Model(json());
  return { model, filter: new Filter(model, new AllSamples(model)) };
}

test("numbers are unpacked, beyond 32 bits too", () => {
  assert.deepEqual([...unpacked("ABfgBoflgggggggB")], [0, 1, 31, 32, 1000, 2 ** 40 + 5]);
  assert.deepEqual([...unpacked("")], []);
});

test("a row has its time, its stack, its thread and its value", () => {
  const samples = new AllSamples(new Model(json()));
  const rows = samples.of((json().profiles as never[])[0]);
  assert.deepEqual([...(rows?.time ?? [])], [0, 20, 1000]);
  assert.deepEqual([...(rows?.node ?? [])], [1, 2, 1]);
  assert.deepEqual([...(rows?.thread ?? [])], [0, 1, 1]);
  assert.equal(samples.length, 1020);
  assert.equal(samples.of((json().profiles as never[])[1]), null);
});

test("what is left of a profile: by time, by thread, by search, and by all of them", () => {
  const { model, filter: all } = filter();
  const self = () => [...all.series(0).self];
  assert.deepEqual(self(), [0, 1001, 32]);
  all.choose({ from: 20, to: 1000 });
  assert.deepEqual(self(), [0, 0, 32]);
  assert.equal(place.hash, "#time=0.02-1");
  all.choose(null);
  all.chooseThreads(new Set(["y"]));
  assert.deepEqual(self(), [0, 1000, 32]);
  all.matches = model.search("b");
  all.onlyMatching(true);
  assert.deepEqual(self(), [0, 1000, 0]);
  assert.equal(all.series(0).sum, 1000);
  all.choose({ from: 0, to: 1000 });
  assert.deepEqual(self(), [0, 0, 0]);
});

test("what is left of a profile by trace, and of one without traces", () => {
  const { filter: all } = filter("#trace=ab&trace=unknown");
  const self = (index: number) => [...all.series(index).self];
  assert.deepEqual([...all.traces], ["ab"]);
  assert.deepEqual(self(0), [0, 0, 32]);
  assert.deepEqual(self(1), [0, 7, 8]);
  assert.equal(all.applies(json().profiles?.[1] as never), false);
  all.chooseTraces(new Set(["(no trace)"]));
  assert.deepEqual(self(0), [0, 1, 0]);
  assert.equal(place.hash, "#trace=%28no+trace%29");
  all.chooseThreads(new Set(["y"]));
  assert.deepEqual(self(0), [0, 0, 0]);
  all.chooseTraces(new Set());
  assert.deepEqual(self(0), [0, 1000, 32]);
});

test("samples without times or threads are all left, but the search holds for them", () => {
  const { model, filter: all } = filter("#time=0-1&thread=x");
  const [, old] = model.json.profiles as never[];
  assert.equal(all.applies(old), false);
  assert.deepEqual([...all.series(1).self], [0, 7, 8]);
  all.matches = model.search("c");
  all.onlyMatching(true);
  assert.deepEqual([...all.series(1).self], [0, 0, 8]);
});

test("the address says what is left, and no threads that are not there", () => {
  const { filter: all } = filter("#time=0.5-1.25&thread=y&thread=z&match=only");
  assert.deepEqual(all.range, { from: 500, to: 1250 });
  assert.deepEqual([...all.threads], ["y"]);
  assert.equal(all.matching, true);
  assert.equal(filter("#time=2-1").filter.range, null);
});

test("a heatmap has seconds and 50 parts of each, and longer columns where there is no room", () => {
  const grid = emptyGrid(2_500, 20, 100);
  assert.deepEqual([grid.step, grid.cell, grid.columns, grid.rows], [1000, 20, 3, 50]);
  addTo(grid, 1_019, 4);
  addTo(grid, 1_000, 1);
  assert.equal(grid.values[50], 5);
  assert.equal(grid.max, 5);
  const coarse = emptyGrid(600_000, 50, 100);
  assert.deepEqual([coarse.step, coarse.cell, coarse.columns, coarse.rows], [10_000, 200, 60, 50]);
  const uneven = emptyGrid(20_000, 50, 100);
  assert.deepEqual([uneven.step, uneven.cell, uneven.rows], [1_000, 50, 20]);
  const large = emptyGrid(20_000, 2_000, 100);
  assert.deepEqual([large.step, large.cell, large.rows], [2_000, 2_000, 1]);
});

test("no cell that has something is as pale as one that has nothing", () => {
  const grid = emptyGrid(2_000, 20, 100);
  for (let at = 0; at < 2_000; at += 20) {
    addTo(grid, at, 10);
  }
  addTo(grid, 0, 1_000_000);
  const full = darkest(grid);
  assert.equal(full, 10);
  assert.equal(darkness(0, full), 0);
  assert.ok(darkness(1, full) > 0.1);
  assert.equal(darkness(1_000_010, full), 1);
});
