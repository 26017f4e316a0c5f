// The page of a flow snapshot: headline, ranked leaks, flame graph, table.
import { Chart } from "./chart.ts";
import { el, segmented } from "./dom.ts";
import { Flame } from "./flame.ts";
import { LeakList } from "./leaks.ts";
import { MisuseList } from "./misuses.ts";
import { type Matches, type Measure, type Model, STATES, type State } from "./model.ts";
import { actions, fates, hopsTable } from "./path.ts";
import { Sankey } from "./sankey.ts";
import { searchBox } from "./search.ts";
import { onBack, setState, stateOf } from "./state.ts";
import { SuspectList } from "./suspects.ts";
import { type Column, VirtualTable } from "./table.ts";
import { age, amount, bytes, count, plural, share, shortName } from "./words.ts";

export function flowsPage(model: Model): HTMLElement[] {
  return new FlowsPage(model).sections();
}

interface Totals {
  leaked: number;
  leakedBytes: number;
  directLeaked: number;
  directLeakedBytes: number;
  live: number;
  liveBytes: number;
  directLiveBytes: number;
  heapLeaked: number;
  heapLeakedBytes: number;
  heapLiveBytes: number;
  /** What is no buffer. */
  resourcesLeaked: number;
  resourcesLive: number;
  held: number;
  dropped: number;
  droppedBytes: number;
  released: number;
  releasedBytes: number;
  oldest: number;
}

class FlowsPage {
  private readonly totals: Totals;
  /** Paths that are told together. */
  private readonly leaks: number[][];
  private readonly flame: Flame;
  private readonly flameSection: HTMLElement;
  private readonly dialog: HTMLDialogElement;
  private readonly misuses: MisuseList;
  private readonly suspects: SuspectList;
  private readonly usualState: State;
  private readonly usualMeasure: Measure;
  private state: State = "allocated";
  private measure: Measure = "bytes";
  private matches: Matches | null = null;

  constructor(private readonly model: Model) {
    this.totals = this.sum();
    this.leaks = model.leaks();
    this.misuses = new MisuseList(model);
    this.suspects = new SuspectList(model, (node) => this.zoomTo(node, "live"));
    const { leaked, live, leakedBytes, liveBytes } = this.totals;
    this.usualState = leaked > 0 ? "leaked" : live > 0 ? "live" : "allocated";
    const shown = this.usualState === "leaked" ? leakedBytes : this.usualState === "live" ? liveBytes : 1;
    this.usualMeasure = shown > 0 ? "bytes" : "count";
    this.read();
    this.flame = new Flame(model, this.series(), "all flows");
    this.flameSection = this.makeFlameSection();
    this.dialog = el("dialog", { class: "path-dialog", "aria-label": "Path" });
  }

  sections(): HTMLElement[] {
    const leakList = new LeakList(this.model, this.leaks, this.totals.leakedBytes, (node) => this.zoomTo(node, "leaked"));
    const table = this.makeTable();
    const streams = new Sankey(this.model, this.usualMeasure, (path) => this.open(path));
    const { misuses, suspects } = this;
    const search = searchBox("Search class, method or package", (term) => {
      this.matches = this.model.search(term);
      const passes = this.matches ? (path: number) => this.passes(path) : null;
      leakList.filter(passes);
      misuses.filter(this.matches);
      suspects.filter(passes);
      streams.filter(passes);
      table.filter(passes);
      this.flame.highlight(this.matches);
      return this.searchResult();
    }, (step) => this.flame.goTo(step));
    return [
      this.headline(),
      search.element,
      leakList.element,
      suspects.element,
      misuses.element,
      ...this.timeline(),
      streams.element,
      this.flameSection,
      el("section", { "aria-labelledby": "paths-title" }, el("h2", { id: "paths-title" }, "All paths"), table.element),
      this.dialog,
    ];
  }

  private timeline(): HTMLElement[] {
    const { history } = this.model.json;
    if (!history || history.times.length < 2) {
      return [];
    }
    const chart = new Chart(true);
    chart.show(history);
    return [chart.element];
  }

  /** What the address says, or what is usual for such a snapshot. */
  private read(): void {
    const state = stateOf("flows");
    const measure = stateOf("measure");
    this.state = STATES.find((one) => one === state) ?? this.usualState;
    this.measure = measure === "bytes" || measure === "count" ? measure : this.usualMeasure;
  }

  private look(state: State, measure: Measure, step: boolean): void {
    this.state = state;
    this.measure = measure;
    const changed = state !== this.usualState || measure !== this.usualMeasure;
    setState({ flows: changed ? state : "", measure: changed ? measure : "" }, step);
    this.flame.show(this.series());
  }

  private sum(): Totals {
    const p = this.model.paths;
    const totals: Totals = {
      leaked: 0,
      leakedBytes: 0,
      directLeaked: 0,
      directLeakedBytes: 0,
      live: 0,
      liveBytes: 0,
      directLiveBytes: 0,
      heapLeaked: 0,
      heapLeakedBytes: 0,
      heapLiveBytes: 0,
      resourcesLeaked: 0,
      resourcesLive: 0,
      held: 0,
      dropped: 0,
      droppedBytes: 0,
      released: 0,
      releasedBytes: 0,
      oldest: -1,
    };
    for (let i = 0; i < p.node.length; i++) {
      totals.leaked += p.leaked[i];
      totals.leakedBytes += p.leakedBytes[i];
      totals.live += p.live[i];
      totals.liveBytes += p.liveBytes[i];
      totals.held += this.model.held[i];
      totals.dropped += this.model.dropped[i];
      totals.droppedBytes += this.model.droppedBytes[i];
      totals.released += p.released[i];
      totals.releasedBytes += p.releasedBytes[i];
      totals.oldest = Math.max(totals.oldest, p.oldest[i]);
      if (p.resource[i]) {
        totals.resourcesLeaked += p.leaked[i];
        totals.resourcesLive += p.live[i];
      } else {
        const memory = p.direct[i] ? "direct" : "heap";
        totals[`${memory}Leaked`] += p.leaked[i];
        totals[`${memory}LeakedBytes`] += p.leakedBytes[i];
        totals[`${memory}LiveBytes`] += p.liveBytes[i];
      }
    }
    return totals;
  }

  private headline(): HTMLElement {
    const t = this.totals;
    const allocated = this.model.json.totals?.allocated ?? t.leaked + t.held + t.dropped + t.live + t.released;
    const leakNotes: string[] = [];
    if (t.directLeaked > 0) {
      leakNotes.push(`critical: ${bytes(t.directLeakedBytes)} of direct memory`);
    }
    if (t.heapLeaked > 0) {
      leakNotes.push(`moderate: ${bytes(t.heapLeakedBytes)} of heap`);
    }
    if (t.resourcesLeaked > 0) {
      leakNotes.push(`moderate: ${plural(t.resourcesLeaked, "resource")} not closed`);
    }
    if (t.held > 0) {
      leakNotes.push(`holding ${plural(t.held, "more flow")}`);
    }
    return el(
      "section",
      { class: "headline", "aria-label": "Totals" },
      this.card("Leaked", t.leaked, t.leakedBytes, leakNotes.length > 0 ? leakNotes : [this.suspects.note || "no leak was found"], leakClass(t, this.suspects.length > 0)),
      this.card(
        "Live",
        t.live,
        t.liveBytes,
        [
          t.directLiveBytes + t.heapLiveBytes > 0 ? `${bytes(t.directLiveBytes)} direct, ${bytes(t.heapLiveBytes)} heap` : "",
          t.resourcesLive > 0 ? `${plural(t.resourcesLive, "resource")} open` : "",
          t.oldest >= 0 ? `oldest ${age(t.oldest)}` : "",
          leakNotes.length > 0 ? this.suspects.note : "",
        ].filter(Boolean),
        "live",
      ),
      t.dropped > 0 ? this.card("Dropped", t.dropped, t.droppedBytes, ["not released, nothing lost: no leak"], "") : null,
      this.card("Released", t.released, t.releasedBytes, [`${share(t.released, allocated)} of all flows`], ""),
      this.card("Allocated", allocated, t.leakedBytes + t.droppedBytes + t.liveBytes + t.releasedBytes, [`on ${plural(this.model.paths.node.length, "path")}`], ""),
      this.warnings(),
    );
  }

  private card(name: string, flows: number, size: number, notes: string[], style: string): HTMLElement {
    return el(
      "div",
      { class: `card ${style}` },
      el("h2", {}, name),
      // Flows without bytes are resources: their number is what counts.
      el("p", { class: "figure" }, size === 0 && flows > 0 ? count(flows) : bytes(size)),
      el("p", { class: "figure-note" }, size === 0 && flows > 0 ? (flows === 1 ? "flow" : "flows") : plural(flows, "flow")),
      ...notes.map((note) => el("p", { class: "card-note" }, note)),
    );
  }

  private warnings(): HTMLElement | null {
    const { sampling = 1, totals, tracker } = this.model.json;
    const lines: string[] = [];
    if (tracker?.stoppedAt) {
      const since = tracker.stoppedAt.replace("T", " ").replace(/\..*|Z$/, "");
      lines.push(`New buffers have not been followed since ${since} UTC: ${tracker.stopReason}.`);
    }
    if (this.model.json.advice) {
      lines.push(`${this.model.json.advice}.`);
    }
    if (sampling > 1) {
      lines.push(`1 in ${count(sampling)} allocations was followed; counts and bytes are scaled up to all.`);
    }
    if (totals && totals.overflowed > 0) {
      lines.push(`${plural(totals.overflowed, "flow")} went past a bound of the trie and are counted in hops marked overflow.`);
    }
    if (totals && totals.suppressedErrors > 0) {
      lines.push(`${plural(totals.suppressedErrors, "error")} inside the tracker were kept from the application; counts may be off.`);
    }
    if (tracker?.lostReleases) {
      lines.push(`${plural(tracker.lostReleases, "release")} could not be recorded; they are counted where the buffer was last seen.`);
    }
    if (tracker?.undecided) {
      lines.push(`${count(tracker.undecided)} of the live ones are undecided: nobody may have them any more.`);
    }
    if (tracker?.unwovenClasses) {
      lines.push(`${plural(tracker.unwovenClasses, "class", "classes")} could not be woven; buffers are not seen in them.`);
    }
    for (const thread of tracker?.threads ?? []) {
      if (thread.failures > 0) {
        lines.push(`The agent's thread ${thread.name} failed in ${plural(thread.failures, "round")}${thread.lastFailure ? `; last: ${thread.lastFailure}` : ""}.`);
      }
    }
    if (this.misuses.times > 0) {
      lines.push(`${plural(this.misuses.times, "use")} of buffers that were released already, ranked below.`);
    }
    return lines.length > 0 ? el("ul", { class: "warnings" }, ...lines.map((line) => el("li", {}, line))) : null;
  }

  private makeFlameSection(): HTMLElement {
    const states = STATES.filter((value) => value !== "dropped" || this.totals.dropped > 0).map((value) => ({ value, label: value[0].toUpperCase() + value.slice(1) }));
    const measures = [
      { value: "bytes", label: "Bytes" },
      { value: "count", label: "Count" },
    ] as const;
    const controls = el("div", { class: "controls" });
    const redraw = () => {
      controls.replaceChildren(
        segmented("What became of the flows", states, this.state, (state) => this.look(state, this.measure, true)),
        segmented<Measure>("Measure", measures, this.measure, (measure) => this.look(this.state, measure, true)),
      );
    };
    redraw();
    this.redrawControls = redraw;
    onBack("flows", () => {
      this.read();
      redraw();
      this.flame.show(this.series());
    });
    return el(
      "section",
      { id: "flame-section", "aria-labelledby": "flame-title" },
      el("h2", { id: "flame-title" }, "Flame graph of flow paths"),
      controls,
      this.flame.element,
    );
  }

  private redrawControls: () => void = () => {};

  private series() {
    return this.model.flowSeries(this.state, this.measure);
  }

  private zoomTo(node: number, state: State): void {
    this.dialog.close();
    const measure = this.model.flowSeries(state, this.measure).at(node) === 0 ? "count" : this.measure;
    this.look(state, measure, false);
    this.redrawControls();
    this.flame.zoomTo(node);
    this.flameSection.scrollIntoView();
  }

  private passes(path: number): boolean {
    return this.matches !== null && this.matches.under[this.model.paths.node[path]] === 1;
  }

  private searchResult(): string {
    if (!this.matches) {
      return "";
    }
    const parts = STATES.slice(0, 3).map((state) => {
      const series = this.model.flowSeries(state, "bytes");
      return `${state} ${amount(this.model.matched(this.matches as Matches, series), "bytes")}`;
    });
    return `${this.flame.countText()}; through them ${parts.join(", ")}`;
  }

  private makeTable(): VirtualTable {
    const { model } = this;
    const p = model.paths;
    const numeric = (id: string, label: string, values: ArrayLike<number>, text: (n: number) => string, minor = false): Column => ({
      id,
      label,
      numeric: true,
      minor,
      text: (row) => (values[row] > 0 ? text(values[row]) : "–"),
      compare: (a, b) => values[a] - values[b],
    });
    const leaf = (row: number) => model.place(p.node[row]);
    // All released flows end in the same method: the hop before it tells them apart.
    const end = (row: number) => {
      const node = p.node[row];
      const before = model.trie.parent[node];
      const release = before >= 0 && model.refs(node) === "0";
      return release ? `${model.shortPlace(before)} → ${p.resource[row] ? "closed" : "released"}` : model.shortPlace(node);
    };
    const root = (row: number) => {
      let node = p.node[row];
      while (model.trie.parent[node] >= 0) {
        node = model.trie.parent[node];
      }
      return model.place(node);
    };
    const columns: Column[] = [
      {
        id: "place",
        label: "Last hop",
        numeric: false,
        weight: 5,
        width: 15,
        text: end,
        title: leaf,
        compare: (a, b) => end(a).localeCompare(end(b)),
      },
      {
        id: "root",
        label: "Allocator",
        numeric: false,
        weight: 3,
        width: 12,
        minor: true,
        text: (row) => shortName(root(row)),
        title: root,
        compare: (a, b) => root(a).localeCompare(root(b)),
      },
      {
        id: "memory",
        label: "Memory",
        numeric: false,
        width: 7.5,
        minor: true,
        text: (row) => model.resource(row).replace(/^.*\./, "") || model.memory(row),
        title: (row) => model.resource(row) || model.memory(row),
        compare: (a, b) => p.direct[a] - p.direct[b] || p.resource[a] - p.resource[b],
      },
      numeric("leakedBytes", "Leaked", p.leakedBytes, bytes),
      numeric("leaked", "Leaks", p.leaked, count, true),
      numeric("liveBytes", "Live", p.liveBytes, bytes),
      numeric("live", "Live flows", p.live, count, true),
      numeric("oldest", "Oldest", p.oldest, age, true),
      ...(this.totals.dropped > 0 ? [numeric("dropped", "Dropped", model.dropped, count, true)] : []),
      numeric("released", "Released", p.released, count, true),
    ];
    const table = new VirtualTable("All paths", columns, p.node.length, "paths", (row) => this.open(row));
    const first = this.totals.leakedBytes > 0 ? "leakedBytes" : this.totals.liveBytes > 0 ? "liveBytes" : "released";
    return table.keepAs("paths").sortBy(first, true);
  }

  private open(path: number): void {
    const { model, dialog } = this;
    const state: State = model.paths.leaked[path] > 0 ? "leaked" : model.paths.live[path] > 0 ? "live" : "allocated";
    dialog.replaceChildren(
      el("button", { type: "button", class: "close", "aria-label": "Close", click: () => dialog.close() }, "×"),
      el("h2", {}, model.shortPlace(model.paths.node[path])),
      fates(model, path),
      hopsTable(model, path),
      actions(model, path, (node) => this.zoomTo(node, state)),
    );
    dialog.showModal();
  }
}

function leakClass(t: Totals, isSuspect: boolean): string {
  return t.directLeaked > 0 ? "critical" : t.leaked > 0 || isSuspect ? "moderate" : "good";
}
