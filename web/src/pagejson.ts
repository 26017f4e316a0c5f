// What the Java side writes into the page: columns of numbers, parents before children.
import type { HistoryJson } from "./chart.ts";
import type { MinutesJson } from "./minutes.ts";

/** What the Java side writes into the page. */
export interface PageJson {
  format: string;
  version: number;
  kind: "flows" | "profiles" | "diff";
  title?: string;
  facts?: [string, string][];
  names: string[];
  frames: { name: number[]; line: number[]; type?: number[] };
  types?: string[];
  nodes: { up: number[]; frame: number[]; ref?: number[]; mark?: number[] };
  // Of flows.
  takenAt?: string;
  sampling?: number;
  /** Whose flows these are; absent in files that do not say so. */
  process?: ProcessJson;
  /** What to try when a page shows little. */
  advice?: string;
  totals?: { allocated: number; overflowed: number; suppressedErrors: number };
  /** What the tracker says of itself; absent when there is nothing to say. */
  tracker?: TrackerJson;
  refs?: string[];
  /** Types of what is followed beside buffers. */
  resources?: string[];
  paths?: PathColumns;
  /** Of paths that have any: what leaked within others, and what was dropped with nothing lost. */
  unreleased?: { path: number[]; held: number[]; dropped: number[]; bytes: number[] };
  /** Of paths of which it is known: how many live flows are parts of composites, and what all are as people count them. */
  groups?: { path: number[]; parts: number[]; what: string[] };
  /** Of paths that leak: the worst of those that differ in reference counts alone, what became of those that came the same way, the place that had what the last hop only read, and what looks at the stack saw. */
  leaks?: { path: number[]; with: number[]; contrast?: string[]; owner?: string[]; evidence?: string[] };
  /** Of paths that leak: when the first and the last leak were found, in milliseconds since the epoch. */
  seen?: { path: number[]; first: number[]; last: number[] };
  misuses?: MisuseColumns;
  suspects?: SuspectColumns;
  /** Sizes and lifetimes of sampled releases: `at` is the class, 0 to 31 of lifetimes, from 32 on of sizes. */
  histograms?: { path: number[]; at: number[]; count: number[] };
  /** What allocators keep; absent where nothing is known of it. */
  memory?: MemoryColumns;
  /** The processes that it is the sum of, where it is of several. */
  processes?: ProcessesJson;
  /** Who shares the resident set of the process, where somebody asked. */
  resident?: ResidentJson;
  /** What was before, where somebody has looked. */
  history?: HistoryJson;
  /** What happened minute by minute. */
  minutes?: MinutesJson;
  /** What was live at the highest moment. */
  peak?: PeakColumns;
  // Of profiles.
  folded?: number;
  profiles?: ProfileJson[];
  /** What to show first. */
  open?: "heatmap";
  /** Where the source of the user's own methods is, with `{path}` and `{line}`. */
  source?: string;
  /** What is searched first. */
  search?: string;
  /** By thread and time, as far as these are known. */
  samples?: SamplesJson[];
  threads?: string[];
  /** Ids of traces, between words for none and for all others; absent where no sample has one. */
  traces?: string[];
  /** When the first sample was taken, in milliseconds since the epoch. */
  start?: number;
}

/** What is not known is absent. */
export interface ProcessJson {
  name?: string;
  pid: number;
  host?: string;
  /** ISO 8601. */
  startedAt?: string;
  java?: string;
  options?: string;
}

/** Samples of one kind as columns of packed numbers, see `samples.ts`. */
export interface SamplesJson {
  /** Nodes by the numbers that `stack` has. */
  stacks: number[];
  stack: string;
  thread: string;
  /** Absent if no sample has a trace. */
  trace?: string;
  /** Milliseconds of one step of time; absent where no times are known. */
  grain?: number;
  /** Steps since the previous row. */
  time?: string;
  values: string[];
}

export interface TrackerJson {
  stoppedAt?: string;
  stopReason?: string;
  lostReleases?: number;
  /** Live flows that may be lost. */
  undecided?: number;
  /** Whether the JVM was ending, so that these stay undecided. */
  atEnd?: boolean;
  unwovenClasses?: number;
  threads?: ThreadJson[];
}

/** A thread of the agent's. */
export interface ThreadJson {
  name: string;
  rounds: number;
  /** When its last round ended; absent before the first. */
  lastRound?: string;
  failures: number;
  lastFailure?: string;
}

export interface PathColumns {
  node: number[];
  direct: number[];
  /** 0 for a buffer, otherwise the index into `resources` plus one. */
  resource: number[];
  released: number[];
  releasedBytes: number[];
  leaked: number[];
  leakedBytes: number[];
  live: number[];
  liveBytes: number[];
  oldest: number[];
  median: number[];
}

/** What was done to released buffers, most frequent first. */
export interface MisuseColumns {
  kind: string[];
  place: string[];
  count: number[];
  /** The node at which the path of the first release ends. */
  node: number[];
  /** The node at which the path of the object's previous life ends, or -1. */
  earlier: number[];
}

/** Paths that look like leaks before a collection has proved it, the largest first. */
export interface SuspectColumns {
  path: number[];
  /** How many buffers came there, and how many of them were released or went on. */
  arrived: number[];
  gone: number[];
  /** Where buffers that came as far as the hop before are released, or empty. */
  sibling: string[];
  /** How old the live ones are, and within what time others were released. */
  lifetimes: string[];
}

/** Amounts are bytes but for `buffers` and `holders.chunks`. */
export interface MemoryColumns {
  /** What becomes of the held is -1 where an older agent did not say it. */
  pools: { allocator: string[]; direct: number[]; bytes: number[]; held: number[]; idle: number[]; notLocated: number[]; taken: number[]; free: number[]; other: number[] };
  /** Paths whose buffers keep chunks, the one that keeps most alone first. */
  holders: { node: number[]; direct: number[]; buffers: number[]; bufferBytes: number[]; chunks: number[]; held: number[]; alone: number[]; returned: number[] };
  /** Chunks with live buffers, the largest first; `holder` is -1 where there are several. */
  chunks: { pool: number[]; size: number[]; buffers: number[]; taken: number[]; free: number[]; other: number[]; holder: number[] };
  /** One line for each part that could not be looked into. */
  unexplained: string[];
  /** The JDK's direct buffers, by the application's calls; with `directBuffers=true` alone. */
  direct?: DirectColumns;
}

/** What the flows of a page are the sum of. */
export interface ProcessesJson {
  service: string;
  each: { process: string; allocated: number; leaked: number; leakedBytes: number; difference?: string }[];
  leaksOfSome: { place: string; in: string }[];
  notListed?: number;
}

/** Together the owners have the resident set. */
export interface ResidentJson {
  /** When it was looked at, where that is not when the flows were. */
  takenAt?: string | undefined;
  /** Why nothing is known, in one line. */
  unknown?: string;
  owners: { owner: string; residentBytes: number; notInRamBytes: number; known: string }[];
  limits: string[];
}

/** Calls with most live bytes first; -1 where something is not known. */
export interface DirectColumns {
  calls: { place: string[]; live: number[]; liveBytes: number[]; allocated: number[]; allocatedBytes: number[] };
  accounts: { account: string[]; buffers: number[]; bytes: number[]; limit: number[] };
}

/** What was live at the highest moment since the start, the path with most bytes first. */
export interface PeakColumns {
  /** Milliseconds since the epoch. */
  at: number;
  live: number;
  liveBytes: number;
  paths: { node: number[]; direct: number[]; live: number[]; liveBytes: number[] };
}

export interface ProfileJson {
  name: string;
  type: string;
  unit: string;
  /** Nanoseconds between two samples. */
  period?: number;
  nodes: number[];
  values: number[];
  /** The index of its samples, where they are known one by one, and which of their values it has. */
  samples?: number;
  column?: number;
  /** Of a comparison: the values before, as measured. */
  base?: number[];
  /** The factor by which `base` is multiplied, and what the factor was derived from. */
  factor?: number;
  scaledBy?: "none" | "duration" | "allocations";
  /** One sampling error of the difference by node, and of the sums, in hundredths of the unit; 0 where both are exact. */
  error?: number[];
  sumError?: number;
}
