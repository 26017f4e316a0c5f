// One path in full: its hops with reference counts and lines, and what became of the flows.
import { el } from "./dom.ts";
import { LOOP, type Model, OVERFLOW } from "./model.ts";
import { age, bytes, count, plural, rate, time } from "./words.ts";

/** The hops of a path as a table, the last one marked. */
export function hopsTable(model: Model, path: number): HTMLElement {
  const { node, leaked } = model.paths;
  return leaked[path] > 0 ? hopsTo(model, node[path], "last seen here", "leak") : hopsTo(model, node[path], "end of the path");
}

/** The hops down to a node, and what is said of the last. */
export function hopsTo(model: Model, node: number, end: string, style = ""): HTMLElement {
  const nodes = model.trie.pathTo(node);
  const rows = nodes.map((hop, i) => {
    const last = i === nodes.length - 1;
    const [name, line] = splitLine(model.place(hop));
    return el(
      "tr",
      { class: last ? "last" : "" },
      el("td", { class: "numeric" }, String(i + 1)),
      el("td", { class: "refs" }, model.refs(hop)),
      el(
        "td",
        { class: "place" },
        ...breakable(name),
        line ? el("span", { class: "line" }, line) : null,
        marks(model, hop),
        last ? el("strong", { class: `tag ${style}`.trim() }, end) : null,
      ),
    );
  });
  return el(
    "table",
    { class: "hops" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { class: "numeric" }, "Hop"),
        el("th", { title: "Reference count" }, "Refs"),
        el("th", {}, "Place"),
      ),
    ),
    el("tbody", {}, ...rows),
  );
}

function splitLine(place: string): [string, string] {
  const match = /^(.*)(:\d+)$/.exec(place);
  return match ? [match[1], match[2]] : [place, ""];
}

/** Long names wrap after their dots. */
function breakable(name: string): (string | Node)[] {
  return name.split(/(?<=\.)/).flatMap((part, i) => (i === 0 ? [part] : [el("wbr"), part]));
}

function marks(model: Model, hop: number): HTMLElement | null {
  const bits = model.marks(hop);
  const words = [];
  if (bits & LOOP) {
    words.push("loop");
  }
  if (bits & OVERFLOW) {
    words.push("overflow: all that lay past a bound");
  }
  return words.length > 0 ? el("span", { class: "tag" }, words.join(", ")) : null;
}

/** What became of the flows of a path, as short facts. */
export function fates(model: Model, path: number): HTMLElement {
  const p = model.paths;
  const resource = model.resource(path);
  const sized = (flows: number, size: number) => (resource && size === 0 ? count(flows) : `${plural(flows, "flow")}, ${bytes(size)}`);
  const facts: [string, string][] = [resource ? ["Resource", resource] : ["Memory", model.memory(path)]];
  if (p.leaked[path] > 0) {
    facts.push(["Leaked", sized(p.leaked[path], p.leakedBytes[path])]);
  }
  const times = model.leakTimes(path);
  if (times) {
    facts.push(["First found", `${time(times.first)}, ${age(times.since)} earlier`], ["Last found", time(times.last)]);
  }
  if (times && times.since > 0) {
    facts.push(["Rate", rate(p.leaked[path], p.leakedBytes[path], times.since)]);
  }
  if (p.live[path] > 0) {
    facts.push([resource ? "Open now" : "Live now", sized(p.live[path], p.liveBytes[path])]);
  }
  if (p.oldest[path] >= 0) {
    facts.push(["Oldest live", age(p.oldest[path])]);
  }
  if (p.median[path] >= 0) {
    facts.push(["Median age", age(p.median[path])]);
  }
  if (p.released[path] > 0) {
    facts.push([resource ? "Closed" : "Released", sized(p.released[path], p.releasedBytes[path])]);
  }
  return el("dl", { class: "fates" }, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/** The path as text, one hop a line. */
export function pathText(model: Model, path: number): string {
  return model.trie
    .pathTo(model.paths.node[path])
    .map((hop) => `${model.place(hop)} [${model.refs(hop)}]`)
    .join("\n");
}

export function actions(model: Model, path: number, onZoom: (node: number) => void): HTMLElement {
  const copy = el(
    "button",
    {
      type: "button",
      click: () => {
        void navigator.clipboard?.writeText(pathText(model, path)).then(() => {
          copy.textContent = "Copied";
        });
      },
    },
    "Copy path",
  );
  return el(
    "p",
    { class: "actions" },
    el("button", { type: "button", click: () => onZoom(model.paths.node[path]) }, "Show in flame graph"),
    " ",
    navigator.clipboard ? copy : null,
  );
}
