// The page of a flow snapshot: headline, ranked leaks, flame graph, table.
import { Chart } from "./chart.ts";
import { el, titledSection } from "./dom.ts";
import { FlowGraph, usualWidth } from "./flowgraph.ts";
import { headline } from "./headline.ts";
import { LeakList } from "./leaks.ts";
import { MemorySection } from "./memory.ts";
import { historyOf } from "./minutes.ts";
import { MisuseList } from "./misuses.ts";
import { type Matches, type Model, STATES, type State } from "./model.ts";
import { PathDialog } from "./pathdialog.ts";
import { peakSection } from "./peak.ts";
import { pathTable } from "./pathtable.ts";
import { processesSection } from "./processes.ts";
import { residentSection } from "./resident.ts";
import { Sankey } from "./sankey.ts";
import { searchBox, type SearchStep } from "./search.ts";
import { searchSteps } from "./searching.ts";
import { guarded, Section } from "./section.ts";
import { SuspectList } from "./suspects.ts";
import { amount } from "./words.ts";

export function flowsPage(model: Model): HTMLElement[] {
  return new FlowsPage(model).elements;
}

export function headlineSection(model: Model): HTMLElement[] {
  return guarded("Totals", () => [headline(model)]);
}

class FlowsPage {
  readonly elements: HTMLElement[];
  private readonly leaks: Section<LeakList>;
  private readonly suspects: Section<SuspectList>;
  private readonly misuses: Section<MisuseList>;
  private readonly streams: Section<Sankey>;
  private readonly graph: Section<FlowGraph>;
  private readonly table: Section<ReturnType<typeof pathTable>>;
  private readonly memory: Section<MemorySection> | null;
  private readonly dialog = new PathDialog((node, state) => this.zoomTo(node, state));

  constructor(private readonly model: Model) {
    const element = (part: { element: HTMLElement }) => [part.element];
    const open = (path: number) => this.dialog.open(model, path);
    this.leaks = new Section("Leaks, worst first", () => new LeakList(model, (node) => this.zoomTo(node, "leaked")), element);
    this.suspects = new Section("Suspects", () => new SuspectList(model, (node) => this.zoomTo(node, "live")), element);
    this.misuses = new Section("Used after their release", () => new MisuseList(model), element);
    this.streams = new Section("From allocation to release, leak or life", () => new Sankey(model, usualWidth(model), open), element);
    this.graph = new Section("Flame graph of flow paths", () => new FlowGraph(model), element);
    const { memory } = model.json;
    this.memory = memory ? new Section("Who holds the memory", () => new MemorySection(model, memory, open), element) : null;
    this.table = new Section(
      "All paths",
      () => pathTable(model, open),
      (table) => [titledSection("paths", "All paths", {}, table.element)],
    );
    const search = searchBox(
      "Search class, method or package",
      (term) => this.search(term),
      (step) => this.graph.ask(({ flame }) => flame.goTo(step), ""),
    );
    const timeline = guarded("Bytes over time", () => this.timeline());
    const { peak } = model.json;
    const peaks = peak ? guarded("The peak", () => [peakSection(model, peak, open)]) : [];
    const { processes, resident } = model.json;
    const each = processes ? guarded("Its processes", () => [processesSection(processes)]) : [];
    const process = resident ? guarded("The whole process", () => [residentSection(resident)]) : [];
    const holders = [...(this.memory?.elements ?? []), ...process, ...peaks];
    const beside = (style: string, left: HTMLElement[], right: HTMLElement[]) => el("div", { class: `flow-desk ${style}` }, el("div", {}, ...left), el("div", {}, ...right));
    this.elements = [
      ...headlineSection(model),
      ...each,
      search.element,
      ...timeline,
      beside(
        this.isQuiet ? "plain" : "",
        [...[this.leaks, this.suspects, this.misuses].flatMap((section) => section.elements), ...(this.isQuiet ? holders : [])],
        this.streams.elements,
      ),
      ...(this.isQuiet ? [] : holders),
      beside("even", this.graph.elements, this.table.elements),
      this.dialog.element,
    ];
  }

  /** Whether there is nothing to list beside the streams. */
  private get isQuiet(): boolean {
    const { leaks, suspects, misuses } = this.model.json;
    return [leaks?.path, suspects?.path, misuses?.kind].every((list) => (list?.length ?? 0) === 0);
  }

  private timeline(): HTMLElement[] {
    const { history, minutes } = this.model.json;
    if (history ? history.times.length < 2 : !minutes) {
      return [];
    }
    const chart = new Chart(true, minutes ? () => Promise.resolve(minutes) : null);
    if (history) {
      chart.show(history);
    } else if (minutes) {
      chart.show(historyOf(minutes));
    }
    return [chart.element];
  }

  private zoomTo(node: number, state: State): void {
    this.graph.do((graph) => graph.zoomTo(node, state));
  }

  private search(term: string): SearchStep[] {
    const { model } = this;
    let matches: Matches | null = null;
    let passes: ((path: number) => boolean) | null = null;
    const first = searchSteps(model, term, (found) => {
      matches = found;
      passes = found ? (path) => found.under[model.paths.node[path]] === 1 : null;
    });
    const filters = ([this.leaks, this.suspects, this.streams, this.table] as Section<{ filter(passes: ((path: number) => boolean) | null): void }>[]).map((section) => () => {
      section.do((part) => part.filter(passes));
      return "";
    });
    const others = () => {
      this.misuses.do((misuses) => misuses.filter(matches));
      this.memory?.do((memory) => memory.filter(matches));
      this.graph.do(({ flame }) => flame.highlight(matches));
      return "";
    };
    let shown = "";
    const counted = () => (shown = this.graph.ask(({ flame }) => (matches ? flame.countText() : ""), ""));
    return [...first, ...filters, others, counted, ...this.sums(() => matches, () => shown)];
  }

  /** What passes the matches, fate by fate; the last of them says it all. */
  private sums(matches: () => Matches | null, shown: () => string): SearchStep[] {
    const parts: string[] = [];
    const sums = STATES.slice(0, 3).map((state) => () => {
      const found = matches();
      if (found) {
        parts.push(`${state} ${amount(this.model.matched(found, this.model.flowSeries(state, "bytes")), "bytes")}`);
      }
      return "";
    });
    return [...sums, () => this.graph.ask(() => this.found(matches(), shown(), parts), "")];
  }

  /** @param shown matches in the graph, which shows flows of one fate alone */
  private found(matches: Matches | null, shown: string, parts: string[]): string {
    if (!matches) {
      return "";
    }
    const isElsewhere = shown.startsWith("0 ") && matches.hit.includes(1);
    return `${isElsewhere ? "No match in this graph; through all matches" : `${shown}; through them`} ${parts.join(", ")}`;
  }
}
