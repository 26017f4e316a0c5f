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

/** The hops of a path that are drawn, without its end: as many as there is room to name. */
const FEWEST_HOPS = 4;
const MOST_HOPS = 10;
const HOP_WIDTH = 170;
/** The most stations of a column; the rest are merged into one. */
const STATIONS = 9;
/** More than all columns have together. */
const MOST_STATIONS = 1000;
/** In place of a place that is not drawn by itself. */
const OTHERS = -1;
/** Where a path has no place in a column. */
const NONE = -2;
const GAP = 18;
const LEAST = 2;
/** What leaks is seen beside streams of any width. */
const LEAST_LEAKED = 3;

export function hopsIn(width: number): number {
  return Math.max(FEWEST_HOPS, Math.min(MOST_HOPS, Math.floor(width / HOP_WIDTH)));
}

/** The places of all paths as numbers, each once in a row: names are only made of what is drawn. Frames come first, then `between`, then roots. */
class Places {
  /** The index of the first id, by path. */
  private readonly start: Int32Array;
  private readonly ids: number[] = [];
  private readonly roots: string[] = [];
  private readonly rootIds = new Map<number, number>();
  /** What stands for the middle of a long path. */
  private readonly between: number;
  /** By path and column, for one number of columns. */
  private cells = { hops: 0, ids: new Int32Array(0) };

  constructor(private readonly model: Model) {
    const { trie, json, nameOf, lines } = model;
    const { node } = model.paths;
    const isRelease = json.names.map((name) => name.endsWith("ByteBuf.release"));
    const known = new Map<number, number>();
    const idOf = Int32Array.from(nameOf, (name, frame) => {
      const key = name * 1e6 + lines[frame];
      const id = known.get(key);
      if (id === undefined) {
        known.set(key, frame);
      }
      return id ?? frame;
    });
    this.between = nameOf.length;
    this.start = new Int32Array(node.length + 1);
    const path: number[] = [];
    for (let i = 0; i < node.length; i++) {
      path.length = 0;
      for (let at = node[i]; at >= 0; at = trie.parent[at]) {
        path.push(at);
      }
      let last = this.root(i, trie.frame[path.pop() as number]);
      this.ids.push(last);
      while (path.length > 0) {
        const id = idOf[trie.frame[path.pop() as number]];
        if (id !== last && !isRelease[nameOf[id]]) {
          this.ids.push(id);
          last = id;
        }
      }
      this.start[i + 1] = this.ids.length;
    }
  }

  private root(path: number, frame: number): number {
    const { resource, direct } = this.model.paths;
    const key = frame * 3 + (resource[path] > 0 ? 2 : direct[path]);
    let id = this.rootIds.get(key);
    if (id === undefined) {
      id = this.between + this.roots.push(rootName(this.model, path));
      this.rootIds.set(key, id);
    }
    return id;
  }

  /** How many ids there are. */
  get size(): number {
    return this.between + 1 + this.roots.length;
  }

  name(id: number): string {
    return id === OTHERS ? "others" : id === this.between ? "…" : id > this.between ? this.roots[id - this.between - 1] : this.model.shortPlaceOf(id);
  }

  /** The ids of a path stand at `path * hops` and after. */
  inColumns(hops: number): Int32Array {
    if (this.cells.hops !== hops) {
      const { start, ids } = this;
      const paths = start.length - 1;
      const cells = new Int32Array(paths * hops).fill(NONE);
      for (let path = 0; path < paths; path++) {
        const length = start[path + 1] - start[path];
        const isWhole = length <= hops;
        for (let column = 0; column < Math.min(length, hops); column++) {
          const isMiddle = !isWhole && column === hops - 2;
          const at = isWhole || column < hops - 2 ? start[path] + column : start[path + 1] - 1;
          cells[path * hops + column] = isMiddle ? this.between : ids[at];
        }
      }
      this.cells = { hops, ids: cells };
    }
    return this.cells.ids;
  }
}

/** A search draws the same paths repeatedly. */
const known = new WeakMap<Model, Places>();

function placesOf(model: Model): Places {
  let places = known.get(model);
  if (places === undefined) {
    places = new Places(model);
    known.set(model, places);
  }
  return places;
}

/**
 * @param height of the picture
 * @param hops of a path that are drawn, without its end
 */
export function streamsOf(model: Model, measure: Measure, height: number, hops: number, passes: (path: number) => boolean): Streams {
  const p = model.paths;
  const values = measure === "bytes" ? [p.leakedBytes, p.liveBytes, p.releasedBytes] : [p.leaked, p.live, p.released];
  const places = placesOf(model);
  const cells = places.inColumns(hops);
  const paths: number[] = [];
  let last = 0;
  for (let path = 0; path < p.node.length; path++) {
    if ((values[0][path] > 0 || values[1][path] > 0 || values[2][path] > 0) && passes(path)) {
      paths.push(path);
      while (last < hops && cells[path * hops + last] !== NONE) {
        last++;
      }
    }
  }
  const all = Float64Array.from(paths, (path) => values[0][path] + values[1][path] + values[2][path]);
  const shown = Array.from({ length: last }, (_, column) => largest(places.size, (i) => cells[paths[i] * hops + column], all));
  const made = new Made((id) => places.name(id));
  for (const path of paths) {
    for (let end = 0; end < ENDS.length; end++) {
      const value = values[end][path];
      if (value > 0) {
        let from = -1;
        for (let column = 0; column < last && cells[path * hops + column] !== NONE; column++) {
          const id = cells[path * hops + column];
          const to = made.station(column, shown[column][id] === 1 ? id : OTHERS, "", value);
          if (from >= 0) {
            made.stream(from, to, end, value, path);
          }
          from = to;
        }
        made.stream(from, made.station(last, end, ENDS[end], value), end, value, path);
      }
    }
  }
  return made.laidOut(last + 1, height);
}

/** By id, whether it is among the places of a column that have most. */
function largest(size: number, idOf: (i: number) => number, values: Float64Array): Uint8Array {
  const sums = new Float64Array(size);
  const ids: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const id = idOf(i);
    if (id !== NONE) {
      if (sums[id] === 0) {
        ids.push(id);
      }
      sums[id] += values[i];
    }
  }
  const most = ids.length <= STATIONS ? STATIONS : STATIONS - 1;
  const top: number[] = [];
  for (const id of ids) {
    if (top.length < most || sums[id] > sums[top[top.length - 1]]) {
      const after = top.findIndex((one) => sums[one] < sums[id]);
      top.splice(after < 0 ? top.length : after, 0, id);
      top.length = Math.min(top.length, most);
    }
  }
  const among = new Uint8Array(size);
  top.forEach((id) => (among[id] = 1));
  return among;
}

class Made {
  private readonly stations: Station[] = [];
  private readonly streams: Stream[] = [];
  /** By column and id. */
  private readonly stationIndex: Map<number, number>[] = [];
  /** By both stations and the end. */
  private readonly streamIndex = new Map<number, number>();

  constructor(private readonly nameOf: (id: number) => string) {}

  station(column: number, id: number, end: End | "", value: number): number {
    const inColumn = (this.stationIndex[column] ??= new Map());
    let index = inColumn.get(id);
    if (index === undefined) {
      index = this.stations.length;
      inColumn.set(id, index);
      this.stations.push({ column, name: end === "" ? this.nameOf(id) : end, end, value: 0, y: 0, height: 0 });
    }
    this.stations[index].value += value;
    return index;
  }

  /** @param end the index of how it ends */
  stream(from: number, to: number, end: number, value: number, path: number): void {
    const key = (from * MOST_STATIONS + to) * ENDS.length + end;
    let index = this.streamIndex.get(key);
    if (index === undefined) {
      index = this.streams.length;
      this.streamIndex.set(key, index);
      this.streams.push({ from, to, end: ENDS[end], value: 0, y0: 0, y1: 0, height: 0, path, most: 0 });
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
