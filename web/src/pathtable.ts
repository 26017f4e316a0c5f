// All paths of a flow snapshot as a table.
import { totalsOf } from "./headline.ts";
import type { Model } from "./model.ts";
import { type Column, VirtualTable } from "./table.ts";
import { age, bytes, count, IN_TRANSIT_NOTE, shortName } from "./words.ts";

export function pathTable(model: Model, onOpen: (path: number) => void): VirtualTable {
  const p = model.paths;
  const totals = totalsOf(model);
  const numeric = (id: string, label: string, values: ArrayLike<number>, text: (n: number) => string, minor = false): Column => ({
    id,
    label,
    numeric: true,
    minor,
    text: (row) => (values[row] > 0 ? text(values[row]) : "–"),
    compare: (a, b) => values[a] - values[b],
  });
  // All released flows end in the same method: the hop before it tells them apart.
  const end = (row: number) => {
    const node = p.node[row];
    const before = model.trie.parent[node];
    const release = before >= 0 && model.refs(node) === "0";
    return release ? `${model.shortPlace(before)} → ${p.resource[row] ? "closed" : "released"}` : model.shortPlace(node);
  };
  const root = (row: number) => (model.isInTransit(p.node[row]) ? "–" : model.place(model.trie.pathTo(p.node[row])[0]));
  const columns: Column[] = [
    {
      id: "place",
      label: "Last hop",
      numeric: false,
      weight: 5,
      width: 15,
      text: end,
      title: (row) => (model.isInTransit(p.node[row]) ? IN_TRANSIT_NOTE : model.place(p.node[row])),
      compare: (a, b) => end(a).localeCompare(end(b)),
    },
    {
      id: "root",
      label: "Allocator",
      numeric: false,
      weight: 3,
      width: 12,
      minor: true,
      text: (row) => shortName(root(row)),
      title: root,
      compare: (a, b) => root(a).localeCompare(root(b)),
    },
    {
      id: "memory",
      label: "Memory",
      numeric: false,
      width: 7.5,
      minor: true,
      text: (row) => model.resource(row).replace(/^.*\./, "") || model.memory(row),
      title: (row) => model.resource(row) || model.memory(row),
      compare: (a, b) => p.direct[a] - p.direct[b] || p.resource[a] - p.resource[b],
    },
    numeric("leakedBytes", "Leaked", p.leakedBytes, bytes),
    numeric("leaked", "Leaks", p.leaked, count, true),
    numeric("liveBytes", "Live", p.liveBytes, bytes),
    numeric("live", "Live flows", p.live, count, true),
    numeric("oldest", "Oldest", p.oldest, age, true),
    ...(totals.dropped > 0 ? [numeric("dropped", "Dropped", model.dropped, count, true)] : []),
    numeric("released", "Released", p.released, count, true),
  ];
  const first = totals.leakedBytes > 0 ? "leakedBytes" : totals.liveBytes > 0 ? "liveBytes" : "released";
  return new VirtualTable("All paths", columns, p.node.length, "paths", onOpen).keepAs("paths").sortBy(first, true);
}
