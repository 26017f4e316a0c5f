// How large the released buffers of a path were and how long they lived, in powers of two.
import { el } from "./dom.ts";
import type { Model } from "./model.ts";
import { age, bytes, plural, share } from "./words.ts";

const LIFETIMES = 32;
const SIZES = 28;

/** Two charts, or nothing where no release was sampled. */
export function histograms(model: Model, path: number): HTMLElement[] {
  const { histograms } = model.json;
  if (!histograms) {
    return [];
  }
  const lifetimes = new Array<number>(LIFETIMES).fill(0);
  const sizes = new Array<number>(SIZES).fill(0);
  histograms.path.forEach((at, row) => {
    if (at === path) {
      const index = histograms.at[row];
      (index < LIFETIMES ? lifetimes : sizes)[index < LIFETIMES ? index : index - LIFETIMES] += histograms.count[row];
    }
  });
  const all = lifetimes.reduce((sum, some) => sum + some, 0);
  if (all === 0) {
    return [];
  }
  return [
    el(
      "div",
      { class: "histograms" },
      chart("Sizes", sizes, all, (i) => bytes(2 ** i)),
      chart("Lifetimes", lifetimes, all, (i) => lifetime(2 ** i)),
      el("p", { class: "histogram-note" }, `Of ${plural(all, "sampled release")}; a bar has what is below its number and not below half of it.`),
    ),
  ];
}

function lifetime(micros: number): string {
  return micros < 1_000 ? `${micros} µs` : micros < 1_000_000 ? `${Math.round(micros / 1_000)} ms` : age(micros / 1_000);
}

/** Bars from the first class with a release to the last. */
function chart(title: string, counts: number[], all: number, label: (i: number) => string): HTMLElement {
  const first = counts.findIndex((some) => some > 0);
  const last = counts.reduce((latest, some, i) => (some > 0 ? i : latest), 0);
  const most = Math.max(...counts);
  const rows = counts.slice(first, last + 1).map((some, i) => {
    const at = first + i;
    const bound = at === counts.length - 1 ? `from ${label(at - 1)}` : `< ${label(at)}`;
    const bar = el("span", { class: "part held" });
    bar.style.width = `${(100 * some) / most}%`;
    return el("div", { class: "histogram-row" }, el("span", { class: "histogram-bound" }, bound), el("span", { class: "histogram-bar", "aria-hidden": "true" }, bar), el("span", { class: "histogram-share" }, share(some, all)));
  });
  return el("section", { class: "histogram", "aria-label": title }, el("h3", {}, title), ...rows);
}
