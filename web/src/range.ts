// A range of time that was chosen in the chart: what was allocated and released in it, and what grew.
import { el, titledSection } from "./dom.ts";
import { type Amount, type MinutesJson, type PathRange, rangeOf } from "./minutes.ts";
import { RETURN } from "./returns.ts";
import { type Column, numericColumn, VirtualTable } from "./table.ts";
import { bytes, count, named, plural, shortName, time } from "./words.ts";

function signed(size: number): string {
  return size < 0 ? `−${bytes(-size)}` : bytes(size);
}

function grown(row: { before: Amount; after: Amount }): number {
  return row.after.bytes - row.before.bytes;
}

/** @param close puts the section away */
export function rangeSection(minutes: MinutesJson, from: number, to: number, close: () => void): HTMLElement {
  const range = rangeOf(minutes, from, to);
  const { allocated, released, lost, before, after, kept } = range.total;
  const growth = grown(range.total);
  const lead = el(
    "p",
    { class: "range-lead" },
    el("strong", {}, `${growth < 0 ? "Shrank" : "Grew"} by ${bytes(Math.abs(growth))}`),
    `, from ${bytes(before.bytes)} to ${bytes(after.bytes)} live: ${plural(allocated.count, "buffer")} (${signed(allocated.bytes)}) allocated, ${count(kept.count)} of them (${bytes(kept.bytes)}) live now; ${count(released.count)} (${bytes(released.bytes)}) released`,
    lost.count === 0 && lost.bytes === 0 ? "." : `; ${count(lost.count)} (${signed(lost.bytes)}) leaked or dropped.`,
  );
  return titledSection(
    "range",
    `From ${time(range.from)} to ${time(range.to)}`,
    { class: "range" },
    lead,
    table(range.paths).element,
    el("p", { class: "range-tools" }, el("button", { type: "button", click: close }, "Close the range")),
  );
}

function table(paths: PathRange[]): VirtualTable {
  const place = (row: number) => {
    const hops = paths[row].hops.split(" > ");
    return shortName(named(hops[hops.length - 1])).replace(RETURN, "");
  };
  const size = (id: string, label: string, value: (path: PathRange) => number, style: Partial<Column> = {}) => numericColumn(id, label, paths.map(value), signed, style);
  const columns: Column[] = [
    {
      id: "place",
      label: "Last seen in",
      numeric: false,
      weight: 4,
      width: 14,
      text: place,
      title: (row) => paths[row].hops,
      compare: (a, b) => place(a).localeCompare(place(b)),
    },
    size("grown", "Grew by", grown),
    size("allocated", "Allocated", (path) => path.allocated.bytes),
    size("released", "Released", (path) => path.released.bytes, { middling: true }),
    size("lost", "Lost", (path) => path.lost.bytes, { minor: true }),
    size("before", "Live before", (path) => path.before.bytes, { minor: true }),
    size("after", "Live after", (path) => path.after.bytes, { minor: true }),
    size("kept", "Live now", (path) => path.kept.bytes, { middling: true }),
  ];
  return new VirtualTable("What happened in the range, by path", columns, paths.length, "paths", null).keepAs("rangeby").sortBy("grown", true);
}
