// The page of converted profiles: one flame graph a kind, and its functions.
import { el, titledSection } from "./dom.ts";
import { factsOf, foldedNote } from "./facts.ts";
import { Filter } from "./filter.ts";
import { FilterBar } from "./filterbar.ts";
import { Flame } from "./flame.ts";
import { MeasureChooser, valueText } from "./measures.ts";
import { type FunctionRow, functionRows, type Matches, type Model, type Series } from "./model.ts";
import type { ProfileJson } from "./pagejson.ts";
import { searchSteps } from "./searching.ts";
import { guarded, Section } from "./section.ts";
import { AllSamples } from "./samples.ts";
import { type Search, searchBox, type SearchStep } from "./search.ts";
import { VirtualTable } from "./table.ts";
import { HeatmapSection, ListSection } from "./times.ts";
import { amount, nanoseconds, packageOf, share, shortName } from "./words.ts";

export function profilesPage(model: Model): HTMLElement[] {
  const { profiles = [] } = model.json;
  if (profiles.length === 0) {
    return [el("p", { class: "empty" }, "There is no profile in this file.")];
  }
  return new ProfilesPage(model, profiles).start();
}

class ProfilesPage {
  private selected = 0;
  private matches: Matches | null = null;
  private readonly samples: AllSamples;
  private readonly filter: Filter;
  private readonly chooser: Section<MeasureChooser>;
  private readonly searchBox: Search;
  private readonly filters: Section<FilterBar>;
  private readonly heatmap: Section<HeatmapSection>;
  private readonly threads: Section<ListSection>;
  private readonly traces: Section<ListSection>;
  private readonly flame: Section<Flame>;
  private readonly functions: Section<HTMLElement>;
  private readonly total = el("p", { class: "profile-total" });
  private rows: FunctionRow[] = [];
  private table: VirtualTable | null = null;

  constructor(
    private readonly model: Model,
    private readonly profiles: ProfileJson[],
  ) {
    this.samples = new AllSamples(model);
    this.filter = new Filter(model, this.samples);
    const refresh = () => this.show();
    const isAskedFor = model.json.open === "heatmap";
    this.filters = new Section("Filters", () => new FilterBar(this.filter, refresh), (bar) => [bar.element]);
    this.heatmap = new Section("Heatmap", () => new HeatmapSection(this.filter, this.samples, isAskedFor, refresh), (heatmap) => heatmap.elements);
    this.threads = new Section("Threads", () => ListSection.ofThreads(this.filter, this.samples, refresh), (threads) => threads.elements);
    this.traces = new Section("Traces", () => ListSection.ofTraces(this.filter, this.samples, refresh), (traces) => traces.elements);
    this.flame = new Section(
      "Flame graph",
      () => new Flame(model, this.filter.series(0), "all samples"),
      (flame) => [el("section", { "aria-labelledby": "flame-title" }, el("div", { class: "flame-head" }, el("h2", { id: "flame-title" }, "Flame graph"), this.total, ...foldedNote(model)), flame.element)],
    );
    this.functions = new Section(
      "Functions",
      () => el("div"),
      (holder) => [titledSection("functions", "Functions", { class: "functions" }, holder)],
    );
    this.chooser = new Section("Kinds of profiles", () => new MeasureChooser(profiles, (index) => this.select(index)), (chooser) => [chooser.element]);
    this.searchBox = searchBox("Search class, method or package", (term) => this.search(term), (step) => this.flame.ask((flame) => flame.goTo(step), ""), model.json.search);
  }

  /** @returns what the page shows, with the first profile chosen */
  start(): HTMLElement[] {
    this.chooser.do((chooser) => chooser.start());
    return [
      ...this.chooser.elements,
      this.searchBox.element,
      ...this.filters.elements,
      el("div", { class: "panels" }, ...[this.heatmap, this.threads, this.traces].flatMap((section) => section.elements)),
      el("div", { class: "workbench" }, ...[this.flame, this.functions].flatMap((section) => section.elements)),
      ...guarded("About this profile", () => [factsOf(this.model, "About this profile", false)]),
    ];
  }

  /** How much of what is shown has no stack, so that no frame can say where it was. */
  private withoutStack(series: Series): string {
    const { parent, frame } = this.model.trie;
    const { names } = this.model.json;
    const isNone = (node: number) => parent[node] < 0 && names[this.model.nameOf[frame[node]]] === "[no stack]";
    const value = series.self.reduce((sum, self, node) => (self !== 0 && isNone(node) ? sum + self : sum), 0);
    return value === 0 ? "" : `; ${valueText(this.profiles[this.selected], value)} without a stack, ${share(value, series.sum)}`;
  }

  /** With its unit, and where each sample stands for some time, with that. */
  private inAll(series: Series): string {
    const profile = this.profiles[this.selected];
    const { period = 0 } = profile;
    const all = this.model.profileSeries(this.selected).sum;
    const whole = series.sum === all ? "in all" : `of ${amount(all, series.unit)}, ${share(series.sum, all)}`;
    const time = series.unit === "count" && period > 0 ? `, about ${nanoseconds(series.sum * period)}` : "";
    return `${valueText(profile, series.sum)} ${whole}${time}${this.withoutStack(series)}`;
  }

  private select(index: number): void {
    this.selected = index;
    this.filter.read();
    this.show();
    this.searchBox.refresh();
  }

  /** All views of what the filter leaves. */
  private show(): void {
    const profile = this.profiles[this.selected];
    this.showFilters();
    this.heatmap.do((heatmap) => heatmap.show(profile));
    this.threads.do((threads) => threads.show(profile));
    this.traces.do((traces) => traces.show(profile));
    this.flame.do((flame) => {
      const series = this.filter.series(this.selected);
      this.total.textContent = this.inAll(series);
      flame.show(series, this.model.profileSeries(this.selected).sum);
    });
    this.functions.do((holder) => holder.replaceChildren(this.tableOf(this.filter.series(this.selected)).element));
    this.flame.do((flame) => (flame.totals = new Map(this.rows.map(({ name, total }) => [name, total]))));
  }

  private showFilters(): void {
    this.filters.do((filters) => filters.show(this.filter.applies(this.profiles[this.selected])));
  }

  private tableOf(series: Series): VirtualTable {
    const all = this.model.profileSeries(this.selected).sum;
    const shares = (value: number) => (series.sum === all ? `${share(value, all)} of all` : `${share(value, series.sum)} of what is shown, ${share(value, all)} of all`);
    this.rows = functionRows(this.model, series);
    const { rows } = this;
    this.table = new VirtualTable(
      "Functions",
      [
        { id: "name", label: "Function", numeric: false, weight: 7, text: (row) => shortName(rows[row].name), prefix: (row) => packageOf(rows[row].name), title: (row) => rows[row].name, compare: (a, b) => rows[a].name.localeCompare(rows[b].name) },
        { id: "self", label: "Self", numeric: true, text: (row) => amount(rows[row].self, series.unit), compare: (a, b) => rows[a].self - rows[b].self },
        { id: "selfShare", label: "Self %", numeric: true, minor: true, text: (row) => share(rows[row].self, series.sum), title: (row) => shares(rows[row].self), compare: (a, b) => rows[a].self - rows[b].self },
        { id: "total", label: "Total", numeric: true, text: (row) => amount(rows[row].total, series.unit), compare: (a, b) => rows[a].total - rows[b].total },
        { id: "totalShare", label: "Total %", numeric: true, minor: true, text: (row) => share(rows[row].total, series.sum), title: (row) => shares(rows[row].total), compare: (a, b) => rows[a].total - rows[b].total },
      ],
      rows.length,
      "functions",
      (row) => this.flame.do((flame) => flame.callsOf(rows[row].name)),
    ).keepAs("functions").sortBy("self", true);
    this.filterTable();
    return this.table;
  }

  private search(term: string): SearchStep[] {
    const quietly = (what: () => void) => () => {
      what();
      return "";
    };
    return [
      ...searchSteps(this.model, term, (matches) => {
        this.matches = matches;
        this.filter.matches = matches;
      }),
      quietly(() => {
        if (this.filter.matching) {
          this.show();
        }
        this.showFilters();
      }),
      quietly(() => this.functions.do(() => this.filterTable())),
      quietly(() => this.flame.do((flame) => flame.highlight(this.matches))),
      quietly(() => this.flame.ask((flame) => flame.countText(), "")),
      () => this.flame.ask((flame) => (this.matches ? `${flame.countText()}; ${this.through(this.matches)}` : ""), ""),
    ];
  }

  private through(matches: Matches): string {
    const series = this.filter.series(this.selected);
    const matched = this.model.matched(matches, series);
    const isAll = series.sum === this.model.profileSeries(this.selected).sum;
    return `through them ${amount(matched, series.unit)}, ${share(matched, series.sum)}${isAll ? "" : " of what is shown"}`;
  }

  private filterTable(): void {
    const { rows, matches } = this;
    this.table?.filter(matches ? (row) => matches.test(rows[row].name) : null);
  }
}
