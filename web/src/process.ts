// Whose buffers a page shows.
import { el } from "./dom.ts";
import type { ProcessJson } from "./pagejson.ts";
import { age } from "./words.ts";

/** `OrderService (1507)`. */
export function processTitle({ name, pid }: ProcessJson): string {
  return `${name || "unnamed"} (${pid})`;
}

/** @param now of the process, in milliseconds since the epoch */
export function processLine({ name, pid, host, startedAt, java, options }: ProcessJson, now: number): (Node | string)[] {
  const facts = [
    `process ${pid}${host ? ` on ${host}` : ""}`,
    startedAt ? `up ${age(Math.max(0, now - Date.parse(startedAt)))}` : "",
    java ? `Java ${java}` : "",
    options ? `options ${options}` : "",
  ].filter(Boolean);
  return [el("strong", {}, name || "unnamed"), ` · ${facts.join(" · ")}`];
}
