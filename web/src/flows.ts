// The page of a flow snapshot: headline, ranked leaks, flame graph, table.
import { Chart } from "./chart.ts";
import { el } from "./dom.ts";
import { FlowGraph, usualWidth } from "./flowgraph.ts";
import { headline } from "./headline.ts";
import { LeakList } from "./leaks.ts";
import { MisuseList } from "./misuses.ts";
import { type Matches, type Model, STATES, type State } from "./model.ts";
import { PathDialog } from "./pathdialog.ts";
import { pathTable } from "./pathtable.ts";
import { Sankey } from "./sankey.ts";
import { searchBox } from "./search.ts";
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
  private readonly dialog = new PathDialog((node, state) => this.zoomTo(node, state));

  constructor(private readonly model: Model) {
    const element = (part: { element: HTMLElement }) => [part.element];
    const open = (path: number) => this.dialog.open(model, path);
    this.leaks = new Section("Leaks, worst first", () => new LeakList(model, (node) => this.zoomTo(node, "leaked")), element);
    this.suspects = new Section("Suspects", () => new SuspectList(model, (node) => this.zoomTo(node, "live")), element);
    this.misuses = new Section("Used after their release", () => new MisuseList(model), element);
    this.streams = new Section("From allocation to release, leak or life", () => new Sankey(model, usualWidth(model), open), element);
    this.graph = new Section("Flame graph of flow paths", () => new FlowGraph(model), element);
    this.table = new Section(
      "All paths",
      () => pathTable(model, open),
      (table) => [el("section", { "aria-labelledby": "paths-title" }, el("h2", { id: "paths-title" }, "All paths"), table.element)],
    );
    const search = searchBox(
      "Search class, method or package",
      (term) => this.search(term),
      (step) => this.graph.ask(({ flame }) => flame.goTo(step), ""),
    );
    const timeline = guarded("Bytes over time", () => this.timeline());
    const beside = (style: string, left: HTMLElement[], right: HTMLElement[]) => el("div", { class: `flow-desk ${style}` }, el("div", {}, ...left), el("div", {}, ...right));
    this.elements = [
      ...headlineSection(model),
      search.element,
      beside(
        this.isQuiet ? "plain" : "",
        [this.leaks, this.suspects, this.misuses].flatMap((section) => section.elements),
        [...timeline, ...this.streams.elements],
      ),
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
    const { history } = this.model.json;
    if (!history || history.times.length < 2) {
      return [];
    }
    const chart = new Chart(true);
    chart.show(history);
    return [chart.element];
  }

  private zoomTo(node: number, state: State): void {
    this.graph.do((graph) => graph.zoomTo(node, state));
  }

  private search(term: string): string {
    const { model } = this;
    const matches = model.search(term);
    const passes = matches ? (path: number) => matches.under[model.paths.node[path]] === 1 : null;
    for (const section of [this.leaks, this.suspects, this.streams, this.table] as Section<{ filter(passes: ((path: number) => boolean) | null): void }>[]) {
      section.do((part) => part.filter(passes));
    }
    this.misuses.do((misuses) => misuses.filter(matches));
    return this.graph.ask(({ flame }) => {
      flame.highlight(matches);
      return matches ? this.found(matches, flame.countText()) : "";
    }, "");
  }

  /** @param shown matches in the graph, which shows flows of one fate alone */
  private found(matches: Matches, shown: string): string {
    const isElsewhere = shown.startsWith("0 ") && matches.hit.includes(1);
    const parts = STATES.slice(0, 3).map((state) => `${state} ${amount(this.model.matched(matches, this.model.flowSeries(state, "bytes")), "bytes")}`);
    return `${isElsewhere ? "No match in this graph; through all matches" : `${shown}; through them`} ${parts.join(", ")}`;
  }
}
