// What was done to released buffers, each with the path of the release that came first.
import { el, onWindow, titledSection } from "./dom.ts";
import type { Matches, Model } from "./model.ts";
import type { MisuseColumns } from "./pagejson.ts";
import { hopsTo } from "./path.ts";
import { count, plural, shortName } from "./words.ts";

const SHOWN = 100;
const NO_PATH = -1;

/** How often any of it happened. */
export function misuseTimes(model: Model): number {
  return (model.json.misuses?.count ?? []).reduce((sum, times) => sum + times, 0);
}

export class MisuseList {
  readonly element: HTMLElement;
  private readonly misuses: MisuseColumns;
  private readonly list = el("ol", { class: "leaks misuses" });
  private readonly summary = el("p", { class: "leaks-summary" });

  constructor(private readonly model: Model) {
    this.misuses = model.json.misuses ?? { kind: [], place: [], count: [], node: [], earlier: [] };
    model.checkNodes("misuses.node", this.misuses.node.filter((node) => node !== NO_PATH));
    this.element = titledSection(
      "misuses",
      "Used after their release, most frequent first",
      { class: "listing", hidden: this.length === 0 },
      this.summary,
      this.list,
    );
    this.filter(null);
    onWindow("beforeprint", "misuses", () => {
      for (const details of this.list.querySelectorAll("details")) {
        details.open = true;
      }
    });
  }

  get length(): number {
    return this.misuses.count.length;
  }

  filter(matches: Matches | null): void {
    const all = Array.from(this.misuses.count, (_, i) => i);
    const shown = matches ? all.filter((i) => this.passes(i, matches)) : all;
    this.list.replaceChildren(...shown.slice(0, SHOWN).map((i) => this.item(i)));
    const notes: string[] = [];
    if (matches) {
      notes.push(`${count(shown.length)} of ${count(all.length)} match the search.`);
    }
    if (shown.length > SHOWN) {
      notes.push(`${count(shown.length - SHOWN)} less frequent ones are not shown.`);
    }
    this.summary.textContent = notes.join(" ");
    this.summary.hidden = notes.length === 0;
  }

  private passes(i: number, { test, under }: Matches): boolean {
    const { place, node, earlier } = this.misuses;
    return test(place[i]) || under[node[i]] === 1 || (earlier[i] >= 0 && under[earlier[i]] === 1);
  }

  private item(i: number): HTMLElement {
    const { kind, place, count: counts, earlier } = this.misuses;
    const details = el(
      "details",
      {},
      el(
        "summary",
        {},
        el("span", { class: "severity critical" }, kind[i]),
        el("span", { class: "leak-place", title: place[i] }, shortName(place[i])),
        el("span", { class: "leak-figure" }, `${count(counts[i])} ×`),
        el("span", { class: "leak-note" }, earlier[i] >= 0 ? "two paths: the release, and the life before it" : "one path: the release"),
      ),
    );
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        details.append(...this.paths(i));
      }
    });
    return el("li", {}, details);
  }

  private paths(i: number): HTMLElement[] {
    const { kind, place, count: counts, node, earlier } = this.misuses;
    const parts = [
      el("p", { class: "path-title" }, `${kind[i][0].toUpperCase()}${kind[i].slice(1)} in ${place[i]}, ${plural(counts[i], "time")}. The release came first on`),
      hopsTo(this.model, node[i], "released here"),
    ];
    if (earlier[i] >= 0) {
      parts.push(
        el("p", { class: "path-title" }, "If nothing is wrong there, somebody on the path of the same object's life before released it twice"),
        hopsTo(this.model, earlier[i], "released here"),
      );
    }
    return parts;
  }
}
