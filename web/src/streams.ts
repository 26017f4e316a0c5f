// How flows run from their allocator through methods to their end, in columns: what a Sankey diagram draws.
import type { Measure, Model } from "./model.ts";
import { rootName } from "./roots.ts";

export type End = "released" | "leaked" | "live";
export const ENDS: readonly End[] = ["leaked", "live", "released"];

export interface Station {
  column: number;
  name: string;
  /** How it may end; empty for a place. */
  end: End | "";
  value: number;
  y: number;
  height: number;
}

export interface Stream {
  from: number;
  to: number;
  end: End;
  value: number;
  /** The upper edges at both sides. */
  y0: number;
  y1: number;
  height: number;
  /** The path that has most of it. */
  path: number;
  most: number;
}

export interface Streams {
  columns: number;
  stations: Station[];
  streams: Stream[];
}

/** Hops of a path that are drawn, without its end: as many as have room for their names. */
const FEWEST_HOPS = 4;
const MOST_HOPS = 10;
const HOP_WIDTH = 170;
/** Stations of a column; the others are told together. */
const STATIONS = 9;
/** More than all columns have together. */
const MOST_STATIONS = 1000;
const OTHERS = "others";
const BETWEEN = "…";
const GAP = 18;
const LEAST = 2;
/** What leaks is seen beside streams of any width. */
const LEAST_LEAKED = 3;

export function hopsIn(width: number): number {
  return Math.max(FEWEST_HOPS, Math.min(MOST_HOPS, Math.floor(width / HOP_WIDTH)));
}

/** By path, as a search draws the same paths over and over. */
const known = new WeakMap<Model, string[][]>();

function places(model: Model, path: number, hops: number): string[] {
  let all = known.get(model);
  if (all === undefined) {
    all = [];
    known.set(model, all);
  }
  const names = (all[path] ??= placesOf(model, path));
  return names.length <= hops ? names : [...names.slice(0, hops - 2), BETWEEN, names[names.length - 1]];
}

/** The places of a path, each once in a row. */
function placesOf(model: Model, path: number): string[] {
  const all = [rootName(model, path)];
  for (const node of model.trie.pathTo(model.paths.node[path]).slice(1)) {
    const place = model.frameName(model.trie.frame[node]).endsWith("ByteBuf.release") ? "" : model.shortPlace(node);
    if (place !== "" && place !== all[all.length - 1]) {
      all.push(place);
    }
  }
  return all;
}

/**
 * @param height of the picture
 * @param hops of a path that are drawn, without its end
 */
export function streamsOf(model: Model, measure: Measure, height: number, hops: number, passes: (path: number) => boolean): Streams {
  const p = model.paths;
  const values = measure === "bytes" ? { released: p.releasedBytes, leaked: p.leakedBytes, live: p.liveBytes } : { released: p.released, leaked: p.leaked, live: p.live };
  const paths: { names: string[]; path: number }[] = [];
  for (let path = 0; path < p.node.length; path++) {
    if (passes(path) && ENDS.some((end) => values[end][path] > 0)) {
      paths.push({ names: places(model, path, hops), path });
    }
  }
  const shown = largest(paths, hops, (path) => ENDS.reduce((sum, end) => sum + values[end][path], 0));
  const last = paths.reduce((most, { names }) => Math.max(most, names.length), 0);
  const made = new Made();
  for (const { names, path } of paths) {
    for (const end of ENDS) {
      const value = values[end][path];
      if (value > 0) {
        const stations = names.map((name, column) => made.station(column, shown[column].has(name) ? name : OTHERS, "", value));
        stations.push(made.station(last, end, end, value));
        stations.slice(1).forEach((to, i) => made.stream(stations[i], to, end, value, path));
      }
    }
  }
  return made.laidOut(last + 1, height);
}

/** The names of each column that have most. */
function largest(paths: { names: string[]; path: number }[], hops: number, value: (path: number) => number): Set<string>[] {
  const columns: Map<string, number>[] = Array.from({ length: hops }, () => new Map());
  for (const { names, path } of paths) {
    names.forEach((name, column) => columns[column].set(name, (columns[column].get(name) ?? 0) + value(path)));
  }
  return columns.map((names) => {
    const ranked = [...names].sort((a, b) => b[1] - a[1]).map(([name]) => name);
    return new Set(ranked.slice(0, ranked.length > STATIONS ? STATIONS - 1 : STATIONS));
  });
}

class Made {
  private readonly stations: Station[] = [];
  private readonly streams: Stream[] = [];
  /** By column and name. */
  private readonly stationIndex: Map<string, number>[] = [];
  /** By both stations and the end. */
  private readonly streamIndex = new Map<number, number>();

  station(column: number, name: string, end: End | "", value: number): number {
    const inColumn = (this.stationIndex[column] ??= new Map());
    let index = inColumn.get(name);
    if (index === undefined) {
      index = this.stations.length;
      inColumn.set(name, index);
      this.stations.push({ column, name, end, value: 0, y: 0, height: 0 });
    }
    this.stations[index].value += value;
    return index;
  }

  stream(from: number, to: number, end: End, value: number, path: number): void {
    const key = (from * MOST_STATIONS + to) * ENDS.length + ENDS.indexOf(end);
    let index = this.streamIndex.get(key);
    if (index === undefined) {
      index = this.streams.length;
      this.streamIndex.set(key, index);
      this.streams.push({ from, to, end, value: 0, y0: 0, y1: 0, height: 0, path, most: 0 });
    }
    const stream = this.streams[index];
    stream.value += value;
    if (value > stream.most) {
      stream.most = value;
      stream.path = path;
    }
  }

  laidOut(columns: number, height: number): Streams {
    const { stations, streams } = this;
    const byColumn = Array.from({ length: columns }, (_, column) => stations.filter((station) => station.column === column));
    const most = Math.max(1, ...byColumn.map((column) => column.reduce((sum, { value }) => sum + value, 0)));
    const gaps = Math.max(0, ...byColumn.map((column) => column.length - 1)) * GAP;
    const scale = Math.max(0, height - gaps - LEAST * STATIONS) / most;
    for (const column of byColumn) {
      // Ends stand in their own order, so that red is on top.
      column.sort((a, b) => (a.end && b.end ? ENDS.indexOf(a.end) - ENDS.indexOf(b.end) : b.value - a.value));
      let y = 0;
      for (const station of column) {
        station.y = y;
        station.height = Math.max(station.end === "leaked" ? LEAST_LEAKED : LEAST, station.value * scale);
        y += station.height + GAP;
      }
    }
    const order = (side: "from" | "to") => (a: Stream, b: Stream) => ENDS.indexOf(a.end) - ENDS.indexOf(b.end) || stations[a[side]].y - stations[b[side]].y;
    const out = new Float64Array(stations.length);
    const into = new Float64Array(stations.length);
    for (const stream of [...streams].sort(order("to"))) {
      stream.height = Math.max(stream.end === "leaked" ? LEAST_LEAKED : 1, stream.value * scale);
      stream.y0 = stations[stream.from].y + out[stream.from];
      out[stream.from] += stream.value * scale;
    }
    for (const stream of [...streams].sort(order("from"))) {
      stream.y1 = stations[stream.to].y + into[stream.to];
      into[stream.to] += stream.value * scale;
    }
    return { columns, stations, streams };
  }
}
