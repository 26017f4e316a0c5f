// What is known of the profiles as a whole.
import { el } from "./dom.ts";
import type { Model } from "./model.ts";
import { count, nanoseconds, time } from "./words.ts";

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
  const { facts = [], folded = 0 } = model.json;
  const all = [...facts];
  if (folded > 0) {
    all.push(["Folded", `${count(folded)} frames too small to matter are part of their callers`]);
  }
  return el(
    "details",
    { class: "facts", open },
    el("summary", {}, title),
    el("dl", {}, ...all.map(([name, value]) => el("div", {}, el("dt", {}, NAMES[name] ?? name), el("dd", {}, readable(value))))),
  );
}
