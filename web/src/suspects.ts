// What looks like a leak before a collection has proved it, each with its reasons.
import { el, onWindow, titledSection } from "./dom.ts";
import type { Model } from "./model.ts";
import type { SuspectColumns } from "./pagejson.ts";
import { actions, fates, groupOf, hopsTo } from "./path.ts";
import { age, bytes, count, plural, shortName } from "./words.ts";

/** How many there are and what they hold; empty without any. A path that the page does not have counts without its bytes. */
export function suspectNote(model: Model): string {
  const paths = model.json.suspects?.path ?? [];
  const size = paths.reduce((sum, path) => sum + (model.paths.liveBytes[path] ?? 0), 0);
  return paths.length === 0 ? "" : `${plural(paths.length, "suspect")}: ${bytes(size)} live`;
}

export class SuspectList {
  readonly element: HTMLElement;
  private readonly suspects: SuspectColumns;
  private readonly list = el("ol", { class: "leaks suspects" });

  constructor(
    private readonly model: Model,
    private readonly onZoom: (node: number) => void,
  ) {
    this.suspects = model.json.suspects ?? { path: [], arrived: [], gone: [], sibling: [], lifetimes: [] };
    model.checkPaths("suspects.path", this.suspects.path);
    this.element = titledSection(
      "suspects",
      "Suspects: live, growing and not released as others are",
      { class: "listing", hidden: this.suspects.path.length === 0 },
      el("p", { class: "leaks-summary" }, "A collection of the JVM decides: buffers that nothing refers to become leaks, the others stay live."),
      this.list,
    );
    this.filter(null);
    onWindow("beforeprint", "suspects", () => {
      for (const details of this.list.querySelectorAll("details")) {
        details.open = true;
      }
    });
  }

  filter(passes: ((path: number) => boolean) | null): void {
    const all = this.suspects.path.map((_, i) => i);
    this.list.replaceChildren(...all.filter((i) => passes === null || passes(this.suspects.path[i])).map((i) => this.item(i)));
  }

  private reasons(i: number): string {
    const { path, arrived, gone, sibling, lifetimes } = this.suspects;
    const p = this.model.paths;
    return [
      `${count(arrived[i])} in, ${count(gone[i])} out`,
      sibling[i] === "" ? "" : `siblings release in ${shortName(sibling[i])}`,
      `oldest ${age(p.oldest[path[i]])}`,
      lifetimes[i],
    ]
      .filter(Boolean)
      .join(" · ");
  }

  private item(i: number): HTMLElement {
    const { model } = this;
    const path = this.suspects.path[i];
    const node = model.paths.node[path];
    const details = el(
      "details",
      {},
      el(
        "summary",
        {},
        el("span", { class: "severity moderate" }, "suspect"),
        el("span", { class: "leak-place", title: model.place(node) }, model.shortEnd(node)),
        el("span", { class: "leak-figure" }, bytes(model.paths.liveBytes[path])),
        el("span", { class: "leak-note" }, this.reasons(i)),
      ),
    );
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        details.append(fates(model, path), ...groupOf(model, path), hopsTo(model, node, "live here"), actions(model, path, this.onZoom));
      }
    });
    return el("li", {}, details);
  }
}
