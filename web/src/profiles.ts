// The page of converted profiles: one flame graph a kind, and its functions.
import { el } from "./dom.ts";
import { factsOf } from "./facts.ts";
import { Filter } from "./filter.ts";
import { FilterBar } from "./filterbar.ts";
import { Flame } from "./flame.ts";
import { MeasureChooser, valueText } from "./measures.ts";
import { type FunctionRow, functionRows, type Matches, type Model, type Series } from "./model.ts";
import type { ProfileJson } from "./pagejson.ts";
import { AllSamples } from "./samples.ts";
import { type Search, searchBox } from "./search.ts";
import { VirtualTable } from "./table.ts";
import { Times } from "./times.ts";
import { amount, nanoseconds, share } from "./words.ts";

export function profilesPage(model: Model): HTMLElement[] {
  const profiles = model.json.profiles as ProfileJson[];
  if (profiles.length === 0) {
    return [el("p", { class: "empty" }, "There is no profile in this file.")];
  }
  return new ProfilesPage(model, profiles).sections();
}

class ProfilesPage {
  private selected = 0;
  private matches: Matches | null = null;
  private readonly samples: AllSamples;
  private readonly filter: Filter;
  private readonly chooser: MeasureChooser;
  private readonly searchBox: Search;
  private readonly filters: FilterBar;
  private readonly times: Times;
  private readonly flame: Flame;
  private readonly total = el("p", { class: "profile-total" });
  private readonly tableHolder = el("div");
  private rows: FunctionRow[] = [];
  private table: VirtualTable | null = null;

  constructor(
    private readonly model: Model,
    private readonly profiles: ProfileJson[],
  ) {
    this.samples = new AllSamples(model);
    this.filter = new Filter(model, this.samples);
    const refresh = () => this.show();
    this.filters = new FilterBar(this.filter, refresh);
    this.times = new Times(this.filter, this.samples, model.json.open === "heatmap", refresh);
    this.flame = new Flame(model, this.filter.series(0), "all samples");
    this.chooser = new MeasureChooser(profiles, (index) => this.select(index));
    this.searchBox = searchBox("Search class, method or package", (term) => this.search(term), (step) => this.flame.goTo(step), model.json.search);
  }

  sections(): HTMLElement[] {
    this.chooser.start();
    return [
      factsOf(this.model, "About this profile", false),
      this.chooser.element,
      this.searchBox.element,
      this.filters.element,
      ...this.times.sections(),
      el(
        "section",
        { "aria-labelledby": "flame-title" },
        el("h2", { id: "flame-title" }, "Flame graph"),
        this.total,
        this.flame.element,
      ),
      el("section", { "aria-labelledby": "functions-title" }, el("h2", { id: "functions-title" }, "Functions"), this.tableHolder),
    ];
  }

  /** With its unit, and where each sample stands for some time, with that. */
  private inAll(series: Series): string {
    const profile = this.profiles[this.selected];
    const { period = 0 } = profile;
    const all = this.model.profileSeries(this.selected).sum;
    const whole = series.sum === all ? "in all" : `of ${amount(all, series.unit)}, ${share(series.sum, all)}`;
    const time = series.unit === "count" && period > 0 ? `, about ${nanoseconds(series.sum * period)}` : "";
    return `${valueText(profile, series.sum)} ${whole}${time}`;
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
    const series = this.filter.series(this.selected);
    this.filters.show(this.filter.applies(profile));
    this.times.show(profile);
    this.flame.show(series);
    this.showFunctions(series);
  }

  private showFunctions(series: Series): void {
    this.total.textContent = this.inAll(series);
    this.rows = functionRows(this.model, series);
    const { rows } = this;
    this.table = new VirtualTable(
      "Functions",
      [
        { id: "name", label: "Function", numeric: false, weight: 7, text: (row) => rows[row].name, title: (row) => rows[row].name, compare: (a, b) => rows[a].name.localeCompare(rows[b].name) },
        { id: "self", label: "Self", numeric: true, text: (row) => amount(rows[row].self, series.unit), compare: (a, b) => rows[a].self - rows[b].self },
        { id: "selfShare", label: "Self %", numeric: true, minor: true, text: (row) => share(rows[row].self, series.sum), compare: (a, b) => rows[a].self - rows[b].self },
        { id: "total", label: "Total", numeric: true, text: (row) => amount(rows[row].total, series.unit), compare: (a, b) => rows[a].total - rows[b].total },
        { id: "totalShare", label: "Total %", numeric: true, minor: true, text: (row) => share(rows[row].total, series.sum), compare: (a, b) => rows[a].total - rows[b].total },
      ],
      rows.length,
      "functions",
      (row) => this.flame.callsOf(rows[row].name),
    ).keepAs("functions").sortBy("self", true);
    this.filterTable();
    this.tableHolder.replaceChildren(this.table.element);
  }

  private search(term: string): string {
    this.matches = this.model.search(term);
    this.filter.matches = this.matches;
    if (this.filter.matching) {
      this.show();
    }
    this.filters.show(this.filter.applies(this.profiles[this.selected]));
    this.flame.highlight(this.matches);
    this.filterTable();
    if (!this.matches) {
      return "";
    }
    const series = this.filter.series(this.selected);
    const matched = this.model.matched(this.matches, series);
    return `${this.flame.countText()}; through them ${amount(matched, series.unit)}, ${share(matched, series.sum)}`;
  }

  private filterTable(): void {
    const { rows, matches } = this;
    this.table?.filter(matches ? (row) => matches.test(rows[row].name) : null);
  }
}
