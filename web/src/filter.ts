// Which samples of a recording's page are looked at: a range of time, some threads, some traces, stacks that match. In the address.
import { type Matches, type Model, Series } from "./model.ts";
import type { ProfileJson } from "./pagejson.ts";
import type { AllSamples, SampleRows } from "./samples.ts";
import { setState, stateOf, statesOf } from "./state.ts";

/** Milliseconds since the first sample; the end is exclusive. */
export interface Range {
  from: number;
  to: number;
}

/** The filter that a view ignores: the heatmap shows all times, a list of threads or traces shows all of them. */
export type Aside = "time" | "threads" | "traces" | null;

export class Filter {
  range: Range | null = null;
  threads: ReadonlySet<string> = new Set();
  traces: ReadonlySet<string> = new Set();
  /** Whether only stacks are left that the search finds. */
  matching = false;
  matches: Matches | null = null;

  constructor(
    private readonly model: Model,
    private readonly samples: AllSamples,
  ) {
    this.read();
  }

  /** Reads the state from the address. */
  read(): void {
    const [, from, to] = /^([\d.]+)-([\d.]+)$/.exec(stateOf("time")) ?? [];
    const range = { from: Math.round(Number(from) * 1000), to: Math.round(Number(to) * 1000) };
    this.range = this.samples.hasTimes && range.from < range.to ? range : null;
    this.threads = chosen("thread", this.samples.threads);
    this.traces = chosen("trace", this.samples.traces);
    this.matching = stateOf("match") === "only";
  }

  choose(range: Range | null): void {
    this.range = range;
    setState({ time: range ? `${range.from / 1000}-${range.to / 1000}` : "" }, true);
  }

  chooseThreads(threads: ReadonlySet<string>): void {
    this.threads = threads;
    setState({ thread: [...threads] }, true);
  }

  chooseTraces(traces: ReadonlySet<string>): void {
    this.traces = traces;
    setState({ trace: [...traces] }, true);
  }

  onlyMatching(matching: boolean): void {
    this.matching = matching;
    setState({ match: matching ? "only" : "" }, true);
  }

  /** Whether anything is left out. */
  get isOn(): boolean {
    return this.asksForRows || this.isMatching;
  }

  private get asksForRows(): boolean {
    return this.range !== null || this.threads.size > 0 || this.traces.size > 0;
  }

  private get isMatching(): boolean {
    return this.matching && this.matches !== null;
  }

  /** Whether samples of a profile have what the filter asks for. */
  applies(profile: ProfileJson): boolean {
    if (!this.asksForRows) {
      return true;
    }
    const rows = this.samples.of(profile);
    return rows !== null && (this.range === null || rows.grain > 0);
  }

  /** What is left of a profile; all of it where its samples have neither times nor threads. */
  series(index: number): Series {
    const profile = (this.model.json.profiles as ProfileJson[])[index];
    const all = this.model.profileSeries(index);
    if (!this.isOn) {
      return all;
    }
    const rows = this.asksForRows ? this.samples.of(profile) : null;
    if (rows === null && !this.isMatching) {
      return all;
    }
    const left = new Float64Array(this.model.trie.size);
    if (rows === null) {
      const under = (this.matches as Matches).under;
      profile.nodes.forEach((node, i) => (left[node] = under[node] ? profile.values[i] : 0));
    } else {
      const values = this.samples.values(profile);
      this.each(rows, null, (row) => (left[rows.node[row]] += values[row]));
    }
    const nodes = Array.from(left.keys()).filter((node) => left[node] !== 0);
    return new Series(all.name, all.unit, this.model.trie, nodes, nodes.map((node) => left[node]));
  }

  /** Visits the remaining rows in the order of time. */
  each(rows: SampleRows, aside: Aside, visit: (row: number) => void): void {
    const range = aside === "time" || rows.grain === 0 ? null : this.range;
    const threads = aside === "threads" ? null : among(this.threads, this.samples.threads);
    const traces = aside === "traces" ? null : among(this.traces, this.samples.traces);
    const under = this.isMatching ? (this.matches as Matches).under : null;
    for (let row = 0; row < rows.size; row++) {
      const time = rows.time[row];
      const isLeft =
        (range === null || (time >= range.from && time < range.to)) &&
        (threads === null || threads[rows.thread[row]]) &&
        (traces === null || traces[rows.trace[row]]) &&
        (under === null || under[rows.node[row]] === 1);
      if (isLeft) {
        visit(row);
      }
    }
  }
}

/** What the address chooses of what there is. */
function chosen(key: string, all: string[]): ReadonlySet<string> {
  const known = new Set(all);
  return new Set(statesOf(key).filter((name) => known.has(name)));
}

/** The chosen ones; null where nothing is chosen, so that all stay. */
function among(chosen: ReadonlySet<string>, all: string[]): boolean[] | null {
  return chosen.size === 0 ? null : all.map((name) => chosen.has(name));
}
