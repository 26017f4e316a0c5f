// What the colours of a flame graph mean.
import { el } from "./dom.ts";
import type { LegendEntry } from "./palette.ts";
import { share } from "./words.ts";

export function legend(entries: LegendEntry[]): HTMLElement[] {
  return entries.map(({ name, colour, part }) => {
    const swatch = el("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = colour;
    return el("li", {}, swatch, part < 0 ? name : `${name} ${share(part, 1)}`);
  });
}
