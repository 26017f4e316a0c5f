// The page of a comparison: a flame graph of both sides with what grew and what shrank, and the functions.
import { el, segmented, titledSection } from "./dom.ts";
import { factsOf, foldedNote } from "./facts.ts";
import { Flame } from "./flame.ts";
import { MeasureChooser } from "./measures.ts";
import { functionRows, type Matches, type Model, type Series, type Side } from "./model.ts";
import type { ProfileJson } from "./pagejson.ts";
import { type Shading, SMALLEST_CHANGE } from "./palette.ts";
import { searchBox, type SearchStep } from "./search.ts";
import { searchSteps } from "./searching.ts";
import { guarded, Section } from "./section.ts";
import { VirtualTable } from "./table.ts";
import type { View } from "./view.ts";
import { amount, plural, share } from "./words.ts";

const SIDES = [
  { value: "both", label: "Both" },
  { value: "new", label: "New" },
  { value: "base", label: "Base" },
] as const;

export function diffPage(model: Model): HTMLElement[] {
  const { profiles = [] } = model.json;
  if (profiles.length === 0) {
    return [el("p", { class: "empty" }, "There is nothing to compare.")];
  }
  return new DiffPage(model, profiles).start();
}

/** `+1.5 KiB`. */
function signed(difference: number, unit: string): string {
  return difference === 0 ? "±0" : (difference < 0 ? "−" : "+") + amount(Math.abs(difference), unit);
}

/** Figures before, scaled and thus not whole, and now, with the variance of their difference. */
interface Figures {
  base: number;
  now: number;
  variance: number;
}

function isWithinError({ base, now, variance }: Figures): boolean {
  return variance > 0 && (now - base) ** 2 <= variance;
}

function change(figures: Figures, unit: string): string {
  const base = Math.round(figures.base);
  const { now } = figures;
  const within = isWithinError(figures) ? ", within the sampling error" : "";
  if (base === now) {
    return `unchanged${within}`;
  }
  const relative = figures.base === 0 ? "new" : now === 0 ? "gone" : share(now - base, base);
  return `${signed(now - base, unit)} (${relative}${within})`;
}

interface Row extends Figures {
  name: string;
}

class DiffPage implements Shading {
  private selected = 0;
  private side: Side = "both";
  private matches: Matches | null = null;
  private rows: Row[] = [];
  private table: VirtualTable | null = null;
  private readonly chooser: Section<MeasureChooser>;
  private readonly flame: Section<Flame>;
  private readonly functions: Section<HTMLElement>;
  private readonly total = el("p", { class: "profile-total" });
  private readonly leftOut = el("p", { class: "flame-note" });
  private readonly search = searchBox("Search class, method or package", (term) => this.find(term), (step) => this.flame.ask((flame) => flame.goTo(step), ""));

  constructor(
    private readonly model: Model,
    private readonly profiles: ProfileJson[],
  ) {
    this.flame = new Section("Differential flame graph", () => new Flame(model, model.diffSeries(0, "both"), "everything", this), (flame) => [this.graph(flame)]);
    this.functions = new Section(
      "Functions",
      () => el("div"),
      (holder) => [titledSection("functions", "Functions", {}, this.leftOut, holder)],
    );
    this.chooser = new Section("Kinds of profiles", () => new MeasureChooser(profiles, (index) => this.select(index)), (chooser) => [chooser.element]);
  }

  /** @returns what the page shows, with the first profile chosen */
  start(): HTMLElement[] {
    this.chooser.do((chooser) => chooser.start());
    return [
      ...guarded("What is compared", () => [factsOf(this.model, "What is compared", true)]),
      ...this.chooser.elements,
      this.search.element,
      ...this.flame.elements,
      ...this.functions.elements,
    ];
  }

  private graph(flame: Flame): HTMLElement {
    const sides = segmented<Side>("Width of frames", SIDES, this.side, (side) => {
      this.side = side;
      this.flame.do((one) => one.show(this.model.diffSeries(this.selected, side)));
    });
    return titledSection(
      "flame",
      "Differential flame graph",
      {},
      this.total,
      ...foldedNote(this.model),
      el("div", { class: "controls" }, sides),
      el(
        "ul",
        { class: "key" },
        el("li", { class: "grew" }, "▲ grew; + is new"),
        el("li", { class: "shrank" }, "▼ shrank, hatched; − is gone"),
        el("li", { class: "same" }, "unchanged, or by no more than the sampling error"),
      ),
      flame.element,
    );
  }

  private get base(): Series {
    return this.model.diffSeries(this.selected, "base");
  }

  private get now(): Series {
    return this.model.diffSeries(this.selected, "new");
  }

  // What is said of frames. The sides are the second and the third series of a view.

  sides(): Series[] {
    return [this.base, this.now, this.model.diffSeries(this.selected, "variance")];
  }

  private figures(view: View, node: number): Figures {
    return { base: view.total(node, 1), now: view.total(node, 2), variance: node < 0 ? this.wholeVariance : view.total(node, 3) };
  }

  private get profile(): ProfileJson {
    return this.profiles[this.selected];
  }

  private get wholeVariance(): number {
    return ((this.profile.sumError ?? 0) / 100) ** 2;
  }

  change(view: View, node: number): number {
    const figures = this.figures(view, node);
    return isWithinError(figures) ? 0 : (figures.now - figures.base) / Math.max(figures.base, figures.now, 1);
  }

  mark(view: View, node: number): string {
    const part = this.change(view, node);
    if (part !== 0 && view.total(node, 1) === 0) {
      return "+ ";
    }
    if (part !== 0 && view.total(node, 2) === 0) {
      return "− ";
    }
    return Math.abs(part) < SMALLEST_CHANGE ? "" : part > 0 ? "▲ " : "▼ ";
  }

  words(view: View, node: number): string {
    return this.difference(this.figures(view, node));
  }

  /** The base as measured and, where that differs, as scaled. */
  private difference(figures: Figures): string {
    const { unit, factor = 1 } = this.profile;
    const scaled = amount(Math.round(figures.base), unit);
    const before = factor === 1 || figures.base === 0 ? scaled : `${amount(Math.round(figures.base / factor), unit)} × ${factor.toPrecision(3)} = ${scaled}`;
    return `${before} before, ${amount(figures.now, unit)} now: ${change(figures, unit)}`;
  }

  /** Says what the total is scaled by, and its sampling error. */
  private get basis(): string {
    const { scaledBy = "none", sumError = 0, unit } = this.profile;
    const by = scaledBy === "none" ? "not scaled" : `scaled by ${scaledBy}`;
    return `; ${by}${sumError > 0 ? `; sampling error ${amount(Math.round(sumError / 100), unit)}` : ""}`;
  }

  private select(index: number): void {
    this.selected = index;
    this.flame.do((flame) => {
      this.total.textContent = this.difference({ base: this.base.sum, now: this.now.sum, variance: this.wholeVariance }) + this.basis;
      flame.show(this.model.diffSeries(index, this.side));
    });
    this.functions.do((holder) => {
      this.rows = this.functionsOfBoth();
      holder.replaceChildren(this.tableOf(this.rows).element);
    });
    this.search.refresh();
  }

  private functionsOfBoth(): Row[] {
    const rows = new Map<string, Row>();
    const [base, now, variance] = this.sides();
    for (const [side, series] of Object.entries({ base, now, variance }) as [keyof Figures, Series][]) {
      for (const { name, total } of functionRows(this.model, series)) {
        const row = rows.get(name) ?? { name, base: 0, now: 0, variance: 0 };
        row[side] = total;
        rows.set(name, row);
      }
    }
    const all = [...rows.values()];
    const changed = all.filter((row) => !isWithinError(row));
    const left = all.length - changed.length;
    this.leftOut.textContent = left === 0 ? "" : `${plural(left, "function")} left out: within the sampling error.`;
    return changed;
  }

  private tableOf(rows: Row[]): VirtualTable {
    const { unit } = this.now;
    const difference = (row: number) => rows[row].now - Math.round(rows[row].base);
    const { factor = 1 } = this.profile;
    const measured = (row: number) => Math.round(rows[row].base / factor);
    this.table = new VirtualTable(
      "Functions",
      [
        { id: "name", label: "Function", numeric: false, weight: 7, text: (row) => rows[row].name, title: (row) => rows[row].name, compare: (a, b) => rows[a].name.localeCompare(rows[b].name) },
        { id: "base", label: "Base", numeric: true, minor: true, text: (row) => amount(measured(row), unit), compare: (a, b) => rows[a].base - rows[b].base },
        ...(factor === 1 ? [] : [{ id: "scaled", label: "Scaled", numeric: true, minor: true, text: (row: number) => amount(Math.round(rows[row].base), unit), compare: (a: number, b: number) => rows[a].base - rows[b].base }]),
        { id: "now", label: "New", numeric: true, text: (row) => amount(rows[row].now, unit), compare: (a, b) => rows[a].now - rows[b].now },
        {
          id: "change",
          label: "Change",
          numeric: true,
          text: (row) => signed(difference(row), unit),
          style: (row) => (difference(row) > 0 ? "grew" : difference(row) < 0 ? "shrank" : ""),
          compare: (a, b) => Math.abs(difference(a)) - Math.abs(difference(b)),
        },
      ],
      rows.length,
      "functions",
      (row) => this.flame.do((flame) => flame.callsOf(rows[row].name)),
    ).keepAs("functions").sortBy("change", true);
    this.filterTable();
    return this.table;
  }

  private find(term: string): SearchStep[] {
    return [
      ...searchSteps(this.model, term, (matches) => (this.matches = matches)),
      () => {
        this.functions.do(() => this.filterTable());
        return "";
      },
      () => {
        this.flame.do((flame) => flame.highlight(this.matches));
        return "";
      },
      () => this.flame.ask((flame) => (this.matches ? `${flame.countText()}; ${this.through(this.matches)}` : ""), ""),
    ];
  }

  private through(matches: Matches): string {
    const [base, now, variance] = this.sides().map((side) => this.model.matched(matches, side));
    return `through them ${change({ base, now, variance }, this.now.unit)}`;
  }

  private filterTable(): void {
    const { rows, matches } = this;
    this.table?.filter(matches ? (row) => matches.test(rows[row].name) : null);
  }
}
