import assert from "node:assert/strict";
import { test } from "node:test";
import { historyOf, type MinutesJson, rangeOf, type SeriesJson } from "../src/minutes.ts";

const NOON = 1_769_860_800_000;

function series(parts: Partial<SeriesJson>): SeriesJson {
  const none = (parts.at ?? []).map(() => 0);
  return { before: 0, beforeBytes: 0, at: [], released: none, releasedBytes: none, lost: none, lostBytes: none, live: none, liveBytes: none, born: [], bornLive: [], bornLiveBytes: [], ...parts };
}

/** 40 buffers come in the first interval, 30 of them go in the second. */
const minutes: MinutesJson = {
  beganAt: "2026-01-31T12:00:07Z",
  ends: [NOON + 60_040, NOON + 120_030, NOON + 130_000],
  total: series({ before: 2, beforeBytes: 10, at: [0, 1], released: [0, 31], releasedBytes: [0, 305], live: [42, 11], liveBytes: [410, 105], born: [NOON], bornLive: [10], bornLiveBytes: [100] }),
  paths: [
    { hops: "a.Root.direct > a.A.keep:7", direct: true, ...series({ at: [0, 1], released: [0, 30], releasedBytes: [0, 300], live: [40, 10], liveBytes: [400, 100], born: [NOON], bornLive: [10], bornLiveBytes: [100] }) },
    { hops: "a.Root.heap > a.A.read:9", direct: false, ...series({ before: 2, beforeBytes: 10, at: [1], released: [1], releasedBytes: [5], live: [1], liveBytes: [5] }) },
  ],
};

test("a range has whole intervals, and says what came, went and is live now", () => {
  const first = rangeOf(minutes, NOON, NOON + 60_000);
  assert.deepEqual([first.from, first.to], [NOON + 7_000, NOON + 60_040]);
  assert.deepEqual(
    first.paths.map(({ hops, allocated, released, kept }) => [hops.slice(-6), allocated.bytes, released.bytes, kept.count]),
    [["keep:7", 400, 0, 10]],
  );
  const second = rangeOf(minutes, NOON + 60_000, NOON + 120_000);
  assert.deepEqual(
    second.paths.map(({ allocated, released, before, after, kept }) => [allocated.count, released.count, before.bytes, after.bytes, kept.count]),
    [
      [0, 30, 400, 100, 0],
      [0, 1, 10, 5, 0],
    ],
  );
  assert.equal(second.total.before.bytes, 410);
  assert.equal(rangeOf(minutes, 0, Infinity).total.allocated.count, 40);
  assert.equal(rangeOf(minutes, NOON + 125_000, NOON + 125_001).paths.length, 0);
});

test("the chart of a day is made of the same", () => {
  const history = historyOf(minutes);
  assert.deepEqual(history.times, [NOON + 7_000, ...minutes.ends]);
  assert.deepEqual(history.liveDirect, [10, 410, 105, 105]);
  assert.deepEqual(history.allocated, [0, 400, 400, 400]);
  assert.deepEqual(history.paths.map(({ live, memory }) => [memory, ...live]), [
    ["direct", 0, 400, 100, 100],
    ["heap", 10, 10, 5, 5],
  ]);
});
