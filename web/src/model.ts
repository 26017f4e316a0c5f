// What the page shows, in arrays: a hundred thousand paths are a few megabytes, not a million objects.
import type { PageJson, PathColumns, ProfileJson } from "./pagejson.ts";
import { searchSteps } from "./searching.ts";
import { foldReturns, RETURNED, withoutReturns } from "./returns.ts";
import { isInTransit, named, shortName } from "./words.ts";

export const PAGE_FORMAT = "buftrail.page";
export const PAGE_VERSION = 1;

/** What of a comparison is drawn: both sides together, so that nothing is missing, or one. Their variance is not drawn. */
export type Side = "both" | "new" | "base" | "variance";

export const LOOP = 1;
export const OVERFLOW = 2;

/** The merged stacks. Node -1 stands above the roots. */
export class Trie {
  readonly size: number;
  readonly parent: Int32Array;
  readonly frame: Int32Array;
  private readonly childStart: Int32Array;
  private readonly childList: Int32Array;

  constructor(up: ArrayLike<number>, frame: ArrayLike<number>) {
    const n = up.length;
    this.size = n;
    this.frame = Int32Array.from(frame);
    this.parent = new Int32Array(n);
    // Index 0 of the counts is for node -1.
    this.childStart = new Int32Array(n + 3);
    for (let i = 0; i < n; i++) {
      const parent = up[i] === 0 ? -1 : i - up[i];
      if (!(parent >= -1 && parent < i)) {
        throw new Error(`the parent of node ${i} of the stacks is not before it`);
      }
      this.parent[i] = parent;
      this.childStart[parent + 3]++;
    }
    for (let i = 1; i < n + 3; i++) {
      this.childStart[i] += this.childStart[i - 1];
    }
    this.childList = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      this.childList[this.childStart[this.parent[i] + 2]++] = i;
    }
  }

  children(node: number): Int32Array {
    return this.childList.subarray(this.childStart[node + 1], this.childStart[node + 2]);
  }

  /** From the root to the node, both included. */
  pathTo(node: number): number[] {
    const path: number[] = [];
    for (let at = node; at >= 0; at = this.parent[at]) {
      path.push(at);
    }
    return path.reverse();
  }
}

/** One measure over the nodes of a trie. */
export class Series {
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly sum: number;

  constructor(
    readonly name: string,
    readonly unit: string,
    trie: Trie,
    nodes: ArrayLike<number>,
    values: ArrayLike<number>,
  ) {
    this.self = new Float64Array(trie.size);
    let sum = 0;
    for (let i = 0; i < nodes.length; i++) {
      sum += values[i];
      if (nodes[i] >= 0) {
        this.self[nodes[i]] += values[i];
      }
    }
    this.sum = sum;
    this.total = this.self.slice();
    // Parents stand before their children.
    for (let i = trie.size - 1; i >= 0; i--) {
      const parent = trie.parent[i];
      if (parent >= 0) {
        this.total[parent] += this.total[i];
      }
    }
  }

  /** The value of a node with all below it; of node -1, everything. */
  at(node: number): number {
    return node < 0 ? this.sum : this.total[node];
  }
}

/** The types of Java frames. All but the first occur on pages of recordings only. */
const JAVA_TYPES: ReadonlySet<string> = new Set(["jvm", "compiled", "compiled by C1", "inlined", "interpreted", "native method"]);
const PATH_COLUMNS = ["node", "direct", "resource", "released", "releasedBytes", "leaked", "leakedBytes", "live", "liveBytes", "oldest", "median"] as const;
const MEMORIES = ["direct", "heap", "resource"] as const;
export const STATES = ["leaked", "live", "allocated", "released", "dropped"] as const;
export type State = (typeof STATES)[number];
export type Measure = "bytes" | "count";

/** Of columns that are not there, what is taken in their place. */
const NO_COLUMNS: Omit<PageJson, "format" | "version" | "kind"> = {
  names: [],
  frames: { name: [], line: [] },
  nodes: { up: [], frame: [] },
};

export class Model {
  readonly json: PageJson;
  private stacks: Trie | null = null;
  private checked: PathColumns | null = null;
  readonly lines: Int32Array;
  /** The index of the name by frame. */
  readonly nameOf: Int32Array;
  private memories: Uint8Array | null = null;
  private readonly series = new Map<string, Series>();
  private readonly seen = new Map<number, { first: number; last: number }>();
  private unreleased: { held: Float64Array; dropped: Float64Array; droppedBytes: Float64Array } | null = null;

  constructor(given: PageJson) {
    if (given.format !== PAGE_FORMAT || given.version !== PAGE_VERSION) {
      throw new Error(`the page holds ${given.format} version ${given.version}, it can show ${PAGE_FORMAT} version ${PAGE_VERSION}`);
    }
    const json = foldReturns({ ...NO_COLUMNS, ...given });
    json.names = json.names.map(named);
    this.json = json;
    this.lines = Int32Array.from(json.frames.line);
    this.nameOf = Int32Array.from(json.frames.name);
    json.seen?.path?.forEach((path, i) => {
      this.seen.set(path, { first: json.seen?.first[i] as number, last: json.seen?.last[i] as number });
    });
  }

  /** The merged stacks; what is wrong with them is said where they are needed. */
  get trie(): Trie {
    this.stacks ??= new Trie(this.json.nodes.up, this.json.nodes.frame);
    return this.stacks;
  }

  /** @throws Error when a column is missing or not as long as the others, or a path ends nowhere */
  get paths(): PathColumns {
    this.checked ??= this.checkedPaths();
    return this.checked;
  }

  private checkedPaths(): PathColumns {
    const { paths } = this.json;
    const size = paths?.node?.length;
    for (const column of PATH_COLUMNS) {
      if (!paths || !Array.isArray(paths[column]) || paths[column].length !== size) {
        throw new Error(`paths.${column} is missing, or not as long as paths.node`);
      }
    }
    const columns = paths as PathColumns;
    this.checkNodes("paths.node", columns.node);
    return columns;
  }

  /** @throws Error when a column names a node that is not there */
  checkNodes(column: string, nodes: readonly number[]): void {
    check(column, "node", nodes, this.json.nodes.up.length);
  }

  /** @throws Error when a column names a path that is not there */
  checkPaths(column: string, paths: readonly number[]): void {
    check(column, "path", paths, this.paths.node.length);
  }

  /** Whether a node stands in place of a path that is not known. */
  isInTransit(node: number): boolean {
    return isInTransit(this.frameName(this.trie.frame[node]));
  }

  /** By path. */
  get held(): Float64Array {
    return this.notReleased.held;
  }

  get dropped(): Float64Array {
    return this.notReleased.dropped;
  }

  get droppedBytes(): Float64Array {
    return this.notReleased.droppedBytes;
  }

  private get notReleased() {
    if (this.unreleased === null) {
      const column = () => new Float64Array(this.paths.node.length);
      const made = { held: column(), dropped: column(), droppedBytes: column() };
      const { unreleased } = this.json;
      this.checkPaths("unreleased.path", unreleased?.path ?? []);
      unreleased?.path.forEach((path, i) => {
        made.held[path] = unreleased.held[i];
        made.dropped[path] = unreleased.dropped[i];
        made.droppedBytes[path] = unreleased.bytes[i];
      });
      this.unreleased = made;
    }
    return this.unreleased;
  }

  /** The type of a resource that is no buffer; empty for a buffer. */
  resource(path: number): string {
    const { resources = [] } = this.json;
    return resources[this.paths.resource[path] - 1] ?? "";
  }

  /** `direct` or `heap`, or `resource` for what is no buffer. */
  memory(path: number): "direct" | "heap" | "resource" {
    return this.paths.resource[path] > 0 ? "resource" : this.paths.direct[path] ? "direct" : "heap";
  }

  frameName(frame: number): string {
    return this.json.names[this.nameOf[frame]];
  }

  /** `com.example.C.m:31`. */
  placeOf(frame: number): string {
    const line = this.lines[frame];
    return line > 0 ? `${this.frameName(frame)}:${line}` : this.frameName(frame);
  }

  /** `C.m:31`; only JVM frames have a package to leave out. */
  shortPlaceOf(frame: number): string {
    const place = this.placeOf(frame);
    return this.isJava(frame) ? shortName(place) : place;
  }

  place(node: number): string {
    return this.placeOf(this.trie.frame[node]);
  }

  shortPlace(node: number): string {
    return this.shortPlaceOf(this.trie.frame[node]);
  }

  /** The place where a path ends, marked if the method returned there: then its caller lost the buffer. */
  shortEnd(node: number): string {
    return `${this.shortPlace(node)}${this.marks(node) & RETURNED ? ", returned" : ""}`;
  }

  /** The place that had what the last hop of a leaking path could only read; empty where there is none. */
  lastOwner(path: number): string {
    const { leaks } = this.json;
    return withoutReturns(leaks?.owner?.[leaks.path.indexOf(path)] ?? "");
  }

  /** Whether frames differ in their type. */
  get hasTypes(): boolean {
    return (this.json.types?.length ?? 0) > 1;
  }

  /** The memory of all paths through a node; `mixed` for several kinds, or for no node. */
  memoryOf(node: number): string {
    if (node < 0) {
      return "mixed";
    }
    if (this.memories === null) {
      const memories = new Uint8Array(this.trie.size);
      this.paths.node.forEach((end, path) => (memories[end] |= 1 << MEMORIES.indexOf(this.memory(path))));
      for (let i = this.trie.size - 1; i >= 0; i--) {
        if (this.trie.parent[i] >= 0) {
          memories[this.trie.parent[i]] |= memories[i];
        }
      }
      this.memories = memories;
    }
    const bits = this.memories[node];
    return MEMORIES.find((_, i) => bits === 1 << i) ?? "mixed";
  }

  /** Whether a frame is a method of Java code, however it ran. */
  isJava(frame: number): boolean {
    return JAVA_TYPES.has(this.frameType(frame));
  }

  frameType(frame: number): string {
    const { types, frames } = this.json;
    return types && frames.type ? types[frames.type[frame]] : "jvm";
  }

  refs(node: number): string {
    const { refs, nodes } = this.json;
    return refs && nodes.ref ? refs[nodes.ref[node]] : "";
  }

  marks(node: number): number {
    return this.json.nodes.mark?.[node] ?? 0;
  }

  /** The fates of flows in bytes or counts, computed on first use. */
  flowSeries(state: State, measure: Measure): Series {
    const key = `${state}/${measure}`;
    let series = this.series.get(key);
    if (!series) {
      series = new Series(state, measure, this.trie, this.paths.node, this.flowValues(state, measure));
      this.series.set(key, series);
    }
    return series;
  }

  private flowValues(state: State, measure: Measure): ArrayLike<number> {
    const suffix = measure === "bytes" ? "Bytes" : "";
    const dropped = measure === "bytes" ? this.droppedBytes : this.dropped;
    if (state === "dropped") {
      return dropped;
    }
    if (state !== "allocated") {
      return this.paths[`${state}${suffix}` as keyof PathColumns];
    }
    const held = (path: number) => (measure === "bytes" ? 0 : this.held[path]);
    const released = this.paths[`released${suffix}` as keyof PathColumns];
    const leaked = this.paths[`leaked${suffix}` as keyof PathColumns];
    const live = this.paths[`live${suffix}` as keyof PathColumns];
    return Float64Array.from(released, (value, i) => value + leaked[i] + held(i) + dropped[i] + live[i]);
  }

  profileSeries(index: number): Series {
    const key = `profile ${index}`;
    let series = this.series.get(key);
    if (!series) {
      const profile = (this.json.profiles as ProfileJson[])[index];
      series = new Series(profile.type, profile.unit, this.trie, profile.nodes, profile.values);
      this.series.set(key, series);
    }
    return series;
  }

  /** Leaks as people count them: paths that differ in reference counts alone are one, the worst of them first. */
  leaks(): number[][] {
    const groups = new Map<number, number[]>();
    const { leaks } = this.json;
    this.checkPaths("leaks.path", leaks?.path ?? []);
    leaks?.path.forEach((path, i) => {
      const group = groups.get(leaks.with[i]);
      if (group) {
        group.push(path);
      } else {
        groups.set(leaks.with[i], [path]);
      }
    });
    const size = (group: number[]) => total(group, this.paths.leakedBytes);
    return [...groups.values()].sort((a, b) => size(b) - size(a));
  }

  /** When the first and the last leak of some paths were found, and how long before the snapshot the first was. */
  leakTimes(paths: number[]): { first: number; last: number; since: number } | null {
    const seen = paths.map((path) => this.seen.get(path)).filter((times) => times !== undefined);
    if (seen.length === 0) {
      return null;
    }
    const first = Math.min(...seen.map((times) => times.first));
    const last = Math.max(...seen.map((times) => times.last));
    return { first, last, since: Math.max(0, Date.parse(this.json.takenAt ?? "") - first) };
  }

  /** One side of a comparison, or both added up; the base is scaled. */
  diffSeries(index: number, side: Side): Series {
    const key = `${side} ${index}`;
    let series = this.series.get(key);
    if (!series) {
      const { type, unit, nodes, values, base = [], factor = 1, error = [] } = (this.json.profiles as ProfileJson[])[index];
      const sides: Record<Side, (value: number, i: number) => number> = {
        new: (value) => value,
        base: (_, i) => base[i] * factor,
        both: (value, i) => value + base[i] * factor,
        variance: (_, i) => ((error[i] ?? 0) / 100) ** 2,
      };
      const shown = values.map(sides[side]);
      series = new Series(type, unit, this.trie, nodes, shown);
      this.series.set(key, series);
    }
    return series;
  }

  /** Nodes whose frame matches; `under` also marks all nodes below such a node. */
  search(term: string): Matches | null {
    let found: Matches | null = null;
    for (const step of searchSteps(this, term, (matches) => (found = matches))) {
      step();
    }
    return found;
  }

  /** @param frames those that match */
  matching(test: (text: string) => boolean, frames: Uint8Array): Matches {
    const { trie } = this;
    const hit = new Uint8Array(trie.size);
    const under = new Uint8Array(trie.size);
    for (let i = 0; i < trie.size; i++) {
      const parent = trie.parent[i];
      hit[i] = frames[trie.frame[i]];
      under[i] = hit[i] | (parent >= 0 ? under[parent] : 0);
    }
    return { test, frames, hit, under };
  }

  /** How much of a series passes a matching frame. */
  matched(matches: Matches, series: Series): number {
    let sum = 0;
    for (let i = 0; i < this.trie.size; i++) {
      const parent = this.trie.parent[i];
      if (matches.hit[i] && (parent < 0 || !matches.under[parent])) {
        sum += series.total[i];
      }
    }
    return sum;
  }
}

function check(column: string, what: string, indices: readonly number[], size: number): void {
  const wrong = indices.find((index) => !(Number.isInteger(index) && index >= 0 && index < size));
  if (wrong !== undefined) {
    throw new Error(`${column} names ${what} ${wrong}, and there are ${size}`);
  }
}

/** What some paths have together in a column. */
export function total(paths: number[], column: ArrayLike<number>): number {
  return paths.reduce((sum, path) => sum + column[path], 0);
}

export interface Matches {
  test(text: string): boolean;
  /** By frame. */
  frames: Uint8Array;
  hit: Uint8Array;
  under: Uint8Array;
}

/** One function over all nodes of a series. */
export interface FunctionRow {
  name: string;
  self: number;
  total: number;
}

/** Self and total by function; a function that calls itself counts once in its total. */
export function functionRows(model: Model, series: Series): FunctionRow[] {
  const { trie } = model;
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const open = new Map<string, number>();
  const stack: number[] = [...trie.children(-1)].reverse();
  const path: string[] = [];
  while (stack.length > 0) {
    const node = stack.pop() as number;
    if (node < 0) {
      const name = path.pop() as string;
      open.set(name, (open.get(name) as number) - 1);
      continue;
    }
    if (series.total[node] === 0) {
      continue;
    }
    const name = model.frameName(trie.frame[node]);
    self.set(name, (self.get(name) ?? 0) + series.self[node]);
    if ((open.get(name) ?? 0) === 0) {
      total.set(name, (total.get(name) ?? 0) + series.total[node]);
    }
    open.set(name, (open.get(name) ?? 0) + 1);
    path.push(name);
    stack.push(-1);
    for (const child of trie.children(node)) {
      stack.push(child);
    }
  }
  const rows: FunctionRow[] = [];
  for (const [name, all] of total) {
    rows.push({ name, self: self.get(name) ?? 0, total: all });
  }
  return rows.sort((a, b) => b.self - a.self || b.total - a.total || (a.name < b.name ? -1 : 1));
}
