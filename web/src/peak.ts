// What was live at the highest moment since the start, by path.
import { el, titledSection } from "./dom.ts";
import type { Model } from "./model.ts";
import type { PeakColumns } from "./pagejson.ts";
import { type Column, numericColumn, VirtualTable } from "./table.ts";
import { bytes, count, plural, share, time } from "./words.ts";

/** @param onOpen gets the path of a row that was chosen */
export function peakSection(model: Model, peak: PeakColumns, onOpen: (path: number) => void): HTMLElement {
  const { node, direct, live, liveBytes } = peak.paths;
  model.checkNodes("peak.paths.node", node);
  const byNode = new Map(model.paths.node.map((end, path) => [end, path]));
  const now = node.map((end) => model.paths.liveBytes[byNode.get(end) ?? -1] ?? 0);
  const memory = (row: number) => (direct[row] ? "direct" : "heap");
  const columns: Column[] = [
    {
      id: "place",
      label: "Live then in",
      numeric: false,
      weight: 4,
      width: 14,
      text: (row) => model.shortEnd(node[row]),
      title: (row) => model.place(node[row]),
      compare: (a, b) => model.place(node[a]).localeCompare(model.place(node[b])),
    },
    numericColumn("bytes", "Bytes", liveBytes, bytes),
    { id: "memory", label: "Memory", numeric: false, width: 6, middling: true, text: memory, compare: (a, b) => memory(a).localeCompare(memory(b)) },
    numericColumn("share", "Of all", liveBytes, (size) => share(size, peak.liveBytes), { middling: true }),
    numericColumn("live", "Buffers", live, count, { minor: true }),
    numericColumn("now", "Bytes now", now, bytes, { middling: true }),
  ];
  const open = (row: number) => {
    const path = byNode.get(node[row]);
    if (path !== undefined) {
      onOpen(path);
    }
  };
  return titledSection(
    "peak",
    "The peak, by path",
    { class: "memory" },
    el("p", { class: "memory-lead" }, el("strong", {}, `${bytes(peak.liveBytes)} in ${plural(peak.live, "buffer")}`), ` were live at ${time(peak.at)}, more than ever since the start.`),
    new VirtualTable("What was live at the peak", columns, node.length, "paths", open).keepAs("peakby").sortBy("bytes", true).element,
  );
}
