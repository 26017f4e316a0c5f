// What happened in the last 24 hours, by path and minute: what any range of time is told from.
import type { HistoryJson } from "./chart.ts";

/** The lists up to `liveBytes` have one element for each interval in which something changed, the others one for each minute. */
export interface SeriesJson {
  before: number;
  beforeBytes: number;
  at: number[];
  released: number[];
  releasedBytes: number[];
  lost: number[];
  lostBytes: number[];
  live: number[];
  liveBytes: number[];
  born: number[];
  bornLive: number[];
  bornLiveBytes: number[];
}

export interface PathSeriesJson extends SeriesJson {
  /** The text of the hops, the allocator first. */
  hops: string;
  direct: boolean;
}

export interface MinutesJson {
  beganAt: string;
  /** When each interval ended, in milliseconds since the epoch; each begins where the one before ended. */
  ends: number[];
  total: SeriesJson;
  paths: PathSeriesJson[];
}

export interface Amount {
  count: number;
  bytes: number;
}

/** What happened in a range of time. */
export interface RangeRow {
  allocated: Amount;
  released: Amount;
  lost: Amount;
  before: Amount;
  after: Amount;
  /** Allocated in the range, and live when the snapshot was taken. */
  kept: Amount;
}

export interface PathRange extends RangeRow {
  hops: string;
  direct: boolean;
}

export interface Range {
  from: number;
  to: number;
  total: RangeRow;
  paths: PathRange[];
}

const MINUTE = 60_000;
/** Paths that the chart draws. */
const DRAWN = 8;

function begin(minutes: MinutesJson, interval: number): number {
  return interval === 0 ? Date.parse(minutes.beganAt) : minutes.ends[interval - 1];
}

/** The range of whole intervals, at least one, that comes nearest to the one that is asked for. */
export function rangeOf(minutes: MinutesJson, from: number, to: number): Range {
  const middle = (i: number) => (begin(minutes, i) + minutes.ends[i]) / 2;
  let first = 0;
  let last = minutes.ends.length - 1;
  while (first < last && middle(first) < from) {
    first++;
  }
  while (last > first && middle(last) >= to) {
    last--;
  }
  const row = (series: SeriesJson) => rowOf(minutes, series, first, last);
  const paths = minutes.paths.map((path) => ({ hops: path.hops, direct: path.direct, ...row(path) }));
  return { from: begin(minutes, first), to: minutes.ends[last], total: row(minutes.total), paths: paths.filter(isChanged) };
}

function isChanged({ allocated, released, lost, before, after }: RangeRow): boolean {
  return [allocated, released, lost].some(({ count, bytes }) => count !== 0 || bytes !== 0) || before.count !== after.count || before.bytes !== after.bytes;
}

function rowOf(minutes: MinutesJson, series: SeriesJson, first: number, last: number): RangeRow {
  const released = { count: 0, bytes: 0 };
  const lost = { count: 0, bytes: 0 };
  let before = { count: series.before, bytes: series.beforeBytes };
  let after = before;
  series.at.forEach((interval, i) => {
    const live = { count: series.live[i], bytes: series.liveBytes[i] };
    if (interval < first) {
      before = live;
    }
    if (interval <= last) {
      after = live;
    }
    if (interval >= first && interval <= last) {
      released.count += series.released[i];
      released.bytes += series.releasedBytes[i];
      lost.count += series.lost[i];
      lost.bytes += series.lostBytes[i];
    }
  });
  const allocated = {
    count: released.count + lost.count + after.count - before.count,
    bytes: released.bytes + lost.bytes + after.bytes - before.bytes,
  };
  return { allocated, released, lost, before, after, kept: keptOf(minutes, series, first, last) };
}

function keptOf(minutes: MinutesJson, series: SeriesJson, first: number, last: number): Amount {
  const kept = { count: 0, bytes: 0 };
  series.born.forEach((minute, i) => {
    const interval = intervalOf(minutes, minute);
    if (interval >= first && interval <= last) {
      kept.count += series.bornLive[i];
      kept.bytes += series.bornLiveBytes[i];
    }
  });
  return kept;
}

/** The interval in which most of a minute lies: intervals end a moment after full minutes, and the first and the last may be shorter. */
function intervalOf(minutes: MinutesJson, minute: number): number {
  if (minute + MINUTE <= begin(minutes, 0)) {
    return -1;
  }
  const found = minutes.ends.findIndex((end) => end > minute + MINUTE / 2);
  return found < 0 ? minutes.ends.length - 1 : found;
}

/** The same as the chart draws it: what was allocated and lost is counted from the first minute on. */
export function historyOf(minutes: MinutesJson): HistoryJson {
  const times = [begin(minutes, 0), ...minutes.ends];
  const total = linesOf(minutes, minutes.total);
  const paths = minutes.paths.map((path) => ({ hops: path.hops, memory: path.direct ? "direct" : "heap", ...linesOf(minutes, path) }));
  const most = (path: { live: number[]; leaked: number[] }) => path.live.reduce((peak, live, i) => Math.max(peak, live + path.leaked[i]), 0);
  const shown = paths
    .map((path) => ({ path, peak: most(path) }))
    .sort((a, b) => b.peak - a.peak)
    .slice(0, DRAWN)
    .map(({ path }) => path);
  return { stepMillis: MINUTE, times, liveDirect: total.live, liveHeap: total.live.map(() => 0), leaked: total.leaked, allocated: total.allocated, paths: shown };
}

function linesOf(minutes: MinutesJson, series: SeriesJson): { live: number[]; leaked: number[]; allocated: number[] } {
  const live = [series.beforeBytes];
  const leaked = [0];
  const allocated = [0];
  let next = 0;
  for (let i = 0; i < minutes.ends.length; i++) {
    const changes = series.at[next] === i;
    live.push(changes ? series.liveBytes[next] : live[i]);
    leaked.push(leaked[i] + (changes ? series.lostBytes[next] : 0));
    allocated.push(allocated[i] + (changes ? series.releasedBytes[next] + series.lostBytes[next] + live[i + 1] - live[i] : 0));
    next += changes ? 1 : 0;
  }
  return { live, leaked, allocated };
}
