// The page of converted profiles: one flame graph a kind, and its functions.
import { el } from "./dom.ts";
import { factsOf } from "./facts.ts";
import { Flame } from "./flame.ts";
import { MeasureChooser } from "./measures.ts";
import { type FunctionRow, functionRows, type Matches, type Model, type ProfileJson, type Series } from "./model.ts";
import { searchBox } from "./search.ts";
import { VirtualTable } from "./table.ts";
import { amount, nanoseconds, plural, share } from "./words.ts";

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
  private readonly chooser: MeasureChooser;
  private readonly searchBox = searchBox("Search class, method or package", (term) => this.search(term), (step) => this.flame.goTo(step));
  private readonly flame: Flame;
  private readonly total = el("p", { class: "profile-total" });
  private readonly tableHolder = el("div");
  private rows: FunctionRow[] = [];
  private table: VirtualTable | null = null;

  constructor(
    private readonly model: Model,
    profiles: ProfileJson[],
  ) {
    this.flame = new Flame(model, this.series(), "all samples");
    this.chooser = new MeasureChooser(profiles, (index) => this.select(index));
  }

  sections(): HTMLElement[] {
    this.chooser.start();
    return [
      factsOf(this.model, "About this profile", false),
      this.chooser.element,
      this.searchBox.element,
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

  private series(): Series {
    return this.model.profileSeries(this.selected);
  }

  /** With its unit, and where each sample stands for some time, with that. */
  private inAll(series: Series): string {
    const { period = 0 } = (this.model.json.profiles as ProfileJson[])[this.selected];
    if (series.unit !== "count") {
      return `${amount(series.sum, series.unit)} in all`;
    }
    const noun = /objects/.test(series.name) ? "object" : "sample";
    return `${plural(series.sum, noun)} in all${period > 0 ? `, about ${nanoseconds(series.sum * period)}` : ""}`;
  }

  private select(index: number): void {
    this.selected = index;
    const series = this.series();
    this.flame.show(series);
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
    this.searchBox.refresh();
  }

  private search(term: string): string {
    this.matches = this.model.search(term);
    this.flame.highlight(this.matches);
    this.filterTable();
    if (!this.matches) {
      return "";
    }
    const series = this.series();
    const matched = this.model.matched(this.matches, series);
    return `${this.flame.countText()}; through them ${amount(matched, series.unit)}, ${share(matched, series.sum)}`;
  }

  private filterTable(): void {
    const { rows, matches } = this;
    this.table?.filter(matches ? (row) => matches.test(rows[row].name) : null);
  }
}
