// One path in full: its hops with reference counts and lines, and what became of the flows.
import { el } from "./dom.ts";
import { LOOP, type Model, OVERFLOW, total } from "./model.ts";
import { RETURNED } from "./returns.ts";
import { linked, sourceOf } from "./source.ts";
import { age, bytes, count, IN_TRANSIT_NOTE, packageOf, plural, rate, time } from "./words.ts";

/** In milliseconds: what was found a moment ago says nothing of how fast it grows. */
const SHORTEST_RATE = 1_000;

/** The hops of a path as a table, the last one marked. */
export function hopsTable(model: Model, path: number): HTMLElement {
  const { node, leaked } = model.paths;
  return leaked[path] > 0 ? leakTable(model, [path]) : hopsTo(model, node[path], "end of the path");
}

/** The same of a leak's paths, each place once, with all reference counts that were seen there. */
export function leakTable(model: Model, paths: number[]): HTMLElement {
  const stations = paths.map((path) => runs(model, model.trie.pathTo(model.paths.node[path])));
  const refs = stations[0].map((_, i) => [...new Set(stations.flatMap((runs) => (runs[i] ?? []).map((hop) => model.refs(hop))))].sort());
  const shown = stations[0].map((run) => run[run.length - 1]);
  const owner = model.lastOwner(paths[0]);
  return table(model, shown, (i) => refs[i].join(", "), owner === "" ? "last seen here" : "last read here", "leak", owner);
}

/** Hops of one site in a row, as of a count that went up there. */
function runs(model: Model, nodes: number[]): number[][] {
  const runs: number[][] = [];
  for (const node of nodes) {
    const last = runs[runs.length - 1];
    if (last && model.trie.frame[last[0]] === model.trie.frame[node]) {
      last.push(node);
    } else {
      runs.push([node]);
    }
  }
  return runs;
}

/** The hops down to a node, the last with a label. */
export function hopsTo(model: Model, node: number, end: string, style = ""): HTMLElement {
  const nodes = model.trie.pathTo(node);
  return table(model, nodes, (i) => model.refs(nodes[i]), end, style);
}

/** The hops in rows; the last one and the one that had the buffers after all, if there is one, have a tag. */
function table(model: Model, nodes: number[], refs: (at: number) => string, end: string, style: string, owner = ""): HTMLElement {
  if (nodes.length > 0 && model.isInTransit(nodes[0])) {
    return el("p", { class: "path-title" }, IN_TRANSIT_NOTE);
  }
  const had = owner === "" ? -1 : nodes.map((hop) => model.place(hop)).lastIndexOf(owner);
  const rows = nodes.map((hop, i) => {
    const last = i === nodes.length - 1;
    const [name, line] = splitLine(model.place(hop));
    const before = packageOf(name);
    return el(
      "tr",
      { class: last ? "last" : "" },
      el("td", { class: "numeric" }, String(i + 1)),
      el("td", { class: "refs" }, refs(i)),
      el(
        "td",
        { class: "place", title: model.place(hop) },
        before === "" ? null : el("span", { class: "package" }, ...breakable(before)),
        ...linked(sourceOf(model, model.trie.frame[hop]), ...breakable(name.slice(before.length)), line ? el("span", { class: "line" }, line) : null),
        marks(model, hop),
        i === had ? el("strong", { class: `tag ${style}`.trim() }, "had it") : null,
        last ? el("strong", { class: had < 0 ? `tag ${style}`.trim() : "tag" }, end) : null,
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
  if (bits & RETURNED) {
    words.push("returned to its caller");
  }
  if (bits & OVERFLOW) {
    words.push("overflow: all that lay past a bound");
  }
  return words.length > 0 ? el("span", { class: "tag" }, words.join(", ")) : null;
}

/** What became of the flows of a path, or of paths told together, as short facts. */
export function fates(model: Model, ...paths: number[]): HTMLElement {
  const p = model.paths;
  const resource = model.resource(paths[0]);
  const of = (column: ArrayLike<number>) => total(paths, column);
  const sized = (flows: number, size: number) => (resource && size === 0 ? count(flows) : `${plural(flows, "flow")}, ${bytes(size)}`);
  const facts: [string, string][] = [resource ? ["Resource", resource] : ["Memory", model.memory(paths[0])]];
  if (of(p.leaked) > 0) {
    facts.push(["Leaked", sized(of(p.leaked), of(p.leakedBytes))]);
  }
  if (of(model.held) > 0) {
    facts.push(["Held by these", plural(of(model.held), "flow")]);
  }
  const times = model.leakTimes(paths);
  if (times) {
    facts.push(["First found", `${time(times.first)}, ${age(times.since)} earlier`], ["Last found", time(times.last)]);
  }
  if (times && times.since >= SHORTEST_RATE) {
    facts.push(["Rate", rate(of(p.leaked), of(p.leakedBytes), times.since)]);
  }
  if (of(model.dropped) > 0) {
    facts.push(["Dropped, no leak", sized(of(model.dropped), of(model.droppedBytes))]);
  }
  if (of(p.live) > 0) {
    facts.push([resource ? "Open now" : "Live now", sized(of(p.live), of(p.liveBytes))]);
  }
  const oldest = Math.max(...paths.map((path) => p.oldest[path]));
  if (oldest >= 0) {
    facts.push(["Oldest live", age(oldest)]);
  }
  if (paths.length === 1 && p.median[paths[0]] >= 0) {
    facts.push(["Median age", age(p.median[paths[0]])]);
  }
  if (of(p.released) > 0) {
    facts.push([resource ? "Closed" : "Released", sized(of(p.released), of(p.releasedBytes))]);
  }
  return el("dl", { class: "fates" }, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/** What the live flows of a path are as people count them, where that is known. */
export function groupOf(model: Model, path: number): HTMLElement[] {
  const { groups } = model.json;
  const at = groups?.path.indexOf(path) ?? -1;
  if (!groups || at < 0) {
    return [];
  }
  const what = groups.what[at];
  return [el("p", { class: "evidence" }, what === "" ? `${count(groups.parts[at])} of the live flows are parts of composites.` : `Live now: ${what}.`)];
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
