// What is known of the profiles as a whole.
import { el } from "./dom.ts";
import type { Model } from "./model.ts";
import { count } from "./words.ts";

export function factsOf(model: Model, title: string, open: boolean): HTMLElement {
  const { facts = [], folded = 0 } = model.json;
  const all = [...facts];
  if (folded > 0) {
    all.push(["Folded", `${count(folded)} frames too small to matter are part of their callers`]);
  }
  return el(
    "details",
    { class: "facts", open },
    el("summary", {}, title),
    el("dl", {}, ...all.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
  );
}
