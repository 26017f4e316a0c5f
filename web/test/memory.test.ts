import assert from "node:assert/strict";
import { test } from "node:test";
import { directSection } from "../src/direct.ts";
import { histograms } from "../src/histogram.ts";
import type { Model } from "../src/model.ts";
import type { ResidentJson } from "../src/pagejson.ts";
import { residentSection } from "../src/resident.ts";
import { numericColumn } from "../src/table.ts";
import { all, pretendDocument, texts, width } from "./dom.ts";

pretendDocument();

const MIB = 1 << 20;

function resident(parts: Partial<ResidentJson>): ResidentJson {
  return { owners: [], limits: [], ...parts };
}

test("owners stand by size, with their share and what is not in RAM", () => {
  const section = residentSection(
    resident({
      owners: [
        { owner: "Java heap", residentBytes: 30 * MIB, notInRamBytes: 0, known: "8.0 MiB used" },
        { owner: "mapped files", residentBytes: 0, notInRamBytes: 0, known: "" },
        { owner: "other direct buffers", residentBytes: 0, notInRamBytes: 5 * MIB, known: "" },
        { owner: "not known", residentBytes: 90 * MIB, notInRamBytes: 2 * MIB, known: "malloc" },
      ],
      limits: ["Java heap at most 1.0 GiB", "the cgroup at most 2.0 GiB"],
    }),
  );
  assert.deepEqual(
    all(section, "tr").slice(1).map((row) => [...texts(row, "th"), ...texts(row, "td")]),
    [
      ["not known", "90.0 MiB", "75.0 %", "", "malloc; 2.0 MiB more not in RAM"],
      ["Java heap", "30.0 MiB", "25.0 %", "", "8.0 MiB used"],
      ["other direct buffers", "0 B", "0.0 %", "", "5.0 MiB more not in RAM"],
    ],
  );
  assert.deepEqual(all(section, ".part").map(width), ["100%", `${100 / 3}%`, "0%"]);
  assert.equal(all(section, ".other").length, 1);
  assert.deepEqual(texts(section, "p"), ["120.0 MiB in RAM, each page counted once.", "Limits: Java heap at most 1.0 GiB; the cgroup at most 2.0 GiB."]);
});

test("a look of another moment says when it was, and one that failed why", () => {
  const seen = residentSection(resident({ takenAt: "2026-01-31T12:00:07.250Z" }));
  assert.equal(texts(seen, "p")[0], "0 B in RAM, each page counted once. Looked at 2026-01-31 12:00:07 UTC, once a minute.");
  const unknown = residentSection(resident({ unknown: "/proc/self/smaps cannot be read" }));
  assert.deepEqual(texts(unknown, "p"), ["Not known: /proc/self/smaps cannot be read."]);
  assert.deepEqual(all(unknown, "table"), []);
  assert.deepEqual(texts(unknown, "h2"), texts(seen, "h2"));
});

test("direct buffers: the call with most, and what is beyond all calls", () => {
  const section = directSection({
    calls: { place: ["app.io.Cache.load:17", "app.Pump.run:4"], live: [3, 1], liveBytes: [3 * MIB, MIB], allocated: [9, 8], allocatedBytes: [9 * MIB, 8 * MIB] },
    accounts: { account: ["JVM, direct", "JVM, mapped"], buffers: [7, -1], bytes: [10 * MIB, 64], limit: [20 * MIB, -1] },
  });
  assert.deepEqual(texts(section, "p").slice(0, 1), ["3 buffers of Cache.load:17 have 3.0 MiB of 4.0 MiB by all calls."]);
  const [jvm, mapped] = all(section, ".pool");
  assert.equal(texts(jvm, "p")[0], "JVM, direct: 10.0 MiB in 7 buffers, 50.0 % of at most 20.0 MiB; 6.0 MiB of it not by these calls: NIO's own by thread, Netty's, and libraries'");
  assert.deepEqual(all(jvm, ".part").map(width), ["50%"]);
  assert.equal(texts(mapped, "p")[0], "JVM, mapped: 64 B");
  assert.deepEqual(all(mapped, ".part"), []);
});

test("direct buffers: one call, one buffer, none, and more than the limit", () => {
  const none = { place: [], live: [], liveBytes: [], allocated: [], allocatedBytes: [] };
  const one = { place: ["app.Cache.load:17"], live: [1], liveBytes: [7], allocated: [1], allocatedBytes: [7] };
  const accounts = { account: ["JVM, direct"], buffers: [1], bytes: [5], limit: [4] };
  assert.equal(texts(directSection({ calls: none, accounts }), "p")[0], "No call of yours allocated any.");
  const section = directSection({ calls: one, accounts });
  assert.equal(texts(section, "p")[0], "1 buffer of Cache.load:17 has 7 B.");
  assert.match(texts(all(section, ".pool")[0], "p")[0], /; 0 B of it not by these calls/);
  assert.deepEqual(all(section, ".part").map(width), ["100%"]);
});

/** Samples of two paths: a class, and how many releases it has. */
function sampled(...rows: [number, number, number][]): Model {
  return { json: { histograms: { path: rows.map(([path]) => path), at: rows.map(([, at]) => at), count: rows.map(([, , count]) => count) } } } as unknown as Model;
}

test("histograms go from the first class with a release to the last", () => {
  const model = sampled([0, 5, 3], [0, 7, 1], [0, 32 + 10, 4], [1, 31, 9], [1, 32 + 27, 9]);
  const [first] = histograms(model, 0);
  const [sizes, lifetimes] = all(first, ".histogram");
  assert.deepEqual([texts(sizes, ".histogram-bound"), texts(sizes, ".histogram-share")], [["< 1.0 KiB"], ["100.0 %"]]);
  assert.deepEqual([texts(lifetimes, ".histogram-bound"), texts(lifetimes, ".histogram-share")], [["< 32 µs", "< 64 µs", "< 128 µs"], ["75.0 %", "0.0 %", "25.0 %"]]);
  assert.deepEqual(all(lifetimes, ".part").map(width), ["100%", "0%", `${100 / 3}%`]);
  assert.match(texts(first, ".histogram-note")[0], /^Of 4 sampled releases;/);
});

test("the last class has no bound above, and a path without samples has no chart", () => {
  const model = sampled([1, 31, 9], [1, 32 + 27, 9]);
  const [only] = histograms(model, 1);
  assert.deepEqual(texts(only, ".histogram-bound"), ["from 64.0 MiB", "from 17 min 53 s"]);
  assert.deepEqual(histograms(model, 0), []);
  assert.deepEqual(histograms({ json: {} } as Model, 0), []);
});

test("a column of numbers sorts by the numbers, not by what it shows", () => {
  const column = numericColumn("size", "Size", [9, 1024, 100], (n) => `${n} B`, { minor: true });
  assert.deepEqual([0, 1, 2].sort(column.compare).map(column.text), ["9 B", "100 B", "1024 B"]);
  assert.equal(column.numeric && column.minor, true);
});
