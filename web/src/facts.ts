// What is known of the profiles as a whole.
import { el } from "./dom.ts";
import type { Model } from "./model.ts";
import { nanoseconds, plural, time } from "./words.ts";

/** The names of the semantic conventions, as people say them. */
const NAMES: Record<string, string> = {
  "service.name": "Service",
  "host.name": "Host",
  "host.arch": "Processor",
  "os.type": "System",
  "os.description": "System version",
  "process.pid": "Process",
  "process.command_line": "Command",
  "process.runtime.name": "Java",
  "process.runtime.version": "Java version",
  "process.runtime.description": "Java virtual machine",
};

/** `PT1M45.7S` as `1.8 min`, and a moment without its fraction; all other text as it is. */
function readable(value: string): string {
  const length = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(value);
  if (length && value !== "PT") {
    const [, hours = "0", minutes = "0", seconds = "0"] = length;
    return nanoseconds((Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1e9);
  }
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? time(Date.parse(value)) : value;
}

export function factsOf(model: Model, title: string, open: boolean): HTMLElement {
  const { facts = [] } = model.json;
  return el(
    "details",
    { class: "facts", open },
    el("summary", {}, title),
    el("dl", {}, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, NAMES[name] ?? name), el("dd", {}, readable(value))))),
  );
}

/** A note on what the graph omits; empty if it shows everything. */
export function foldedNote(model: Model): HTMLElement[] {
  const { folded = 0 } = model.json;
  return folded === 0 ? [] : [el("p", { class: "flame-note folded-note" }, `Not shown: ${plural(folded, "frame")} too small to matter, whose values are part of their callers.`)];
}
