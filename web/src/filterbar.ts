// What is left out of a recording's page, each with a way to take it back.
import { el } from "./dom.ts";
import type { Filter } from "./filter.ts";
import { spanText } from "./heatmap.ts";
import { plural } from "./words.ts";

export class FilterBar {
  readonly element = el("div", { class: "controls filters" });
  private readonly only: HTMLButtonElement;

  /** @param onChange called after the filter has changed */
  constructor(
    private readonly filter: Filter,
    private readonly onChange: () => void,
  ) {
    this.only = el("button", { type: "button", title: "Leave out stacks that the search does not find", click: () => this.change(() => filter.onlyMatching(!filter.matching)) }, "Only stacks that match");
  }

  /** @param applies whether the shown profile has the times and threads that the filter needs */
  show(applies: boolean): void {
    const { filter } = this;
    this.only.hidden = filter.matches === null;
    this.only.setAttribute("aria-pressed", String(filter.matching));
    const chips: HTMLElement[] = [];
    if (filter.range) {
      chips.push(this.chip("Time", spanText(filter.range.from, filter.range.to), () => filter.choose(null)));
    }
    if (filter.threads.size > 0) {
      const [first] = filter.threads;
      chips.push(this.chip("Threads", filter.threads.size === 1 ? first || "(no name)" : plural(filter.threads.size, "thread"), () => filter.chooseThreads(new Set())));
    }
    if (filter.traces.size > 0) {
      const [first] = filter.traces;
      chips.push(this.chip("Traces", filter.traces.size === 1 ? first : plural(filter.traces.size, "trace"), () => filter.chooseTraces(new Set())));
    }
    if (!applies) {
      chips.push(el("span", { class: "filter-note" }, "Samples of this kind have no times, threads or traces: all of them are shown."));
    }
    this.element.replaceChildren(this.only, ...chips);
    this.element.hidden = this.only.hidden && chips.length === 0;
  }

  private chip(label: string, what: string, undo: () => void): HTMLElement {
    return el("button", { type: "button", class: "chip", "aria-label": `${label} ${what}: undo`, click: () => this.change(undo) }, `${label} `, el("strong", {}, what), " ×");
  }

  private change(how: () => void): void {
    how();
    this.onChange();
  }
}
