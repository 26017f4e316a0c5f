// All paths of a flow snapshot as a table, with what tells them apart.
import { totalsOf } from "./headline.ts";
import type { Model } from "./model.ts";
import { rootName } from "./roots.ts";
import { type Column, numericColumn, VirtualTable } from "./table.ts";
import { differences } from "./unlike.ts";
import { age, bytes, count, IN_TRANSIT_NOTE } from "./words.ts";

/** Columns of which a narrow screen shows the first that have anything. */
const ON_NARROW = 2;

export function pathTable(model: Model, onOpen: (path: number) => void): VirtualTable {
  const p = model.paths;
  const totals = totalsOf(model);
  const place = (row: number) => (endsReleased(model, row) ? `${model.shortPlace(lastPlace(model, row))} → ${p.resource[row] ? "closed" : "released"}` : model.shortEnd(p.node[row]));
  const root = (row: number) => (model.isInTransit(p.node[row]) ? "–" : rootName(model, row));
  const columns: Column[] = [
    {
      id: "place",
      label: "Last hop",
      numeric: false,
      weight: 5,
      width: 15,
      text: place,
      title: (row) => (model.isInTransit(p.node[row]) ? IN_TRANSIT_NOTE : model.place(p.node[row])),
      compare: (a, b) => place(a).localeCompare(place(b)),
    },
    ...byWayOf(model),
    {
      id: "root",
      label: "Allocator",
      numeric: false,
      weight: 3,
      width: 12,
      minor: true,
      text: root,
      title: (row) => model.resource(row) || model.place(model.trie.pathTo(p.node[row])[0]),
      compare: (a, b) => root(a).localeCompare(root(b)),
    },
    ...figures(model),
  ];
  const first = totals.leakedBytes > 0 ? "leakedBytes" : totals.liveBytes > 0 ? "liveBytes" : "released";
  return new VirtualTable("All paths", columns, p.node.length, "paths", onOpen).keepAs("paths").sortBy(first, true);
}

/** All released flows end in the same method: the hop before it tells them apart. */
function endsReleased(model: Model, path: number): boolean {
  const node = model.paths.node[path];
  return model.trie.parent[node] >= 0 && model.refs(node) === "0";
}

function lastPlace(model: Model, path: number): number {
  const node = model.paths.node[path];
  return endsReleased(model, path) ? model.trie.parent[node] : node;
}

/** A column for what is unlike in paths that end in one place; none where no two do. */
function byWayOf(model: Model): Column[] {
  const { unlike, hasEqualEnds } = differences(model, (path) => lastPlace(model, path));
  return hasEqualEnds
    ? [
        {
          id: "via",
          label: "By way of",
          numeric: false,
          weight: 4,
          width: 12,
          middling: true,
          text: (row) => unlike(row).map((node) => model.shortPlace(node)).join(", "),
          title: (row) => unlike(row).map((node) => model.place(node)).join(", "),
          compare: (a, b) => model.paths.node[a] - model.paths.node[b],
        },
      ]
    : [];
}

/** The figures of which any path has more than nothing. */
function figures(model: Model): Column[] {
  const p = model.paths;
  const numeric = (id: string, label: string, values: ArrayLike<number>, text: (n: number) => string) => numericColumn(id, label, values, (n) => (n > 0 ? text(n) : "–"));
  const sizes = [
    { values: p.leakedBytes, column: numeric("leakedBytes", "Leaked", p.leakedBytes, bytes) },
    { values: p.leaked, column: numeric("leaked", "Leaks", p.leaked, count) },
    { values: p.liveBytes, column: numeric("liveBytes", "Live", p.liveBytes, bytes) },
    { values: p.live, column: numeric("live", "Live flows", p.live, count) },
    { values: p.oldest, column: numeric("oldest", "Oldest", p.oldest, age) },
    { values: model.dropped, column: numeric("dropped", "Dropped", model.dropped, count) },
    { values: p.releasedBytes, column: numeric("releasedBytes", "Released", p.releasedBytes, bytes) },
    { values: p.released, column: numeric("released", "Releases", p.released, count) },
  ];
  const shown = sizes.filter(({ values }) => Array.prototype.some.call(values, (value: number) => value > 0)).map(({ column }) => column);
  const major = shown.filter(({ id }) => id.endsWith("Bytes")).slice(0, ON_NARROW);
  return shown.map((column) => ({ ...column, minor: !(major.length === 0 ? shown.slice(0, ON_NARROW) : major).includes(column) }));
}
