// Who holds the memory of Netty's pools: a chunk stays as long as one buffer lies in it.
import { directSection } from "./direct.ts";
import { el, titledSection } from "./dom.ts";
import type { Matches, Model } from "./model.ts";
import type { MemoryColumns } from "./pagejson.ts";
import { type Column, numericColumn, VirtualTable } from "./table.ts";
import { bytes, count, plural, share } from "./words.ts";

/** Boxes that are drawn; the largest come first. */
const BOXES = 400;
const SHARED = -1;

export class MemorySection {
  readonly element: HTMLElement;
  private readonly table: VirtualTable;

  /** @param onOpen gets the path of a holder that was chosen */
  constructor(
    private readonly model: Model,
    private readonly memory: MemoryColumns,
    private readonly onOpen: (path: number) => void,
  ) {
    model.checkNodes("memory.holders.node", memory.holders.node);
    this.table = this.holders();
    this.element = titledSection(
      "memory",
      "Who holds the memory of Netty's pools",
      { class: "memory" },
      ...this.lead(),
      el("div", { class: "memory-desk" }, this.table.element, el("div", {}, ...this.pools(), ...this.chunks())),
      ...memory.unexplained.map((line) => el("p", { class: "memory-unexplained" }, `Not explained: ${line}`)),
      ...(memory.direct ? [directSection(memory.direct)] : []),
    );
  }

  filter(matches: Matches | null): void {
    const { node } = this.memory.holders;
    this.table.filter(matches ? (row) => matches.under[node[row]] === 1 : null);
  }

  /** What the first row says, as a sentence. */
  private lead(): HTMLElement[] {
    const { node, direct, buffers, bufferBytes, chunks, held, alone, returned } = this.memory.holders;
    if (node.length === 0) {
      return [el("p", {}, "No live buffer that is followed holds a chunk.")];
    }
    const one = buffers[0] === 1;
    return [
      el(
        "p",
        { class: "memory-lead" },
        el("strong", {}, `${plural(buffers[0], "buffer")} of ${this.model.shortEnd(node[0])} (${bytes(bufferBytes[0])}) ${one ? "holds" : "hold"} ${bytes(held[0])}`),
        ` of ${direct[0] ? "direct memory" : "the heap"} in ${plural(chunks[0], "chunk")}, ${bytes(alone[0])} of it alone; ${one ? "its" : "their"} release gives back at least ${bytes(returned[0])}.`,
      ),
    ];
  }

  private holders(): VirtualTable {
    const { holders, pools } = this.memory;
    const { model } = this;
    const all = pools.bytes.reduce((sum, size) => sum + size, 0);
    const columns: Column[] = [
      {
        id: "place",
        label: "Held by buffers of",
        numeric: false,
        weight: 5,
        width: 14,
        text: (row) => model.shortEnd(holders.node[row]),
        title: (row) => model.place(holders.node[row]),
        compare: (a, b) => model.place(holders.node[a]).localeCompare(model.place(holders.node[b])),
      },
      numericColumn("buffers", "Buffers", holders.buffers, count, { minor: true }),
      numericColumn("bufferBytes", "Their bytes", holders.bufferBytes, bytes, { middling: true }),
      numericColumn("chunks", "Chunks", holders.chunks, count, { minor: true }),
      numericColumn("held", "Hold", holders.held, bytes),
      numericColumn("share", "Of all", holders.held, (size) => share(size, all), { middling: true }),
      numericColumn("alone", "Alone", holders.alone, bytes),
      numericColumn("returned", "Given back", holders.returned, bytes, { minor: true }),
    ];
    const paths = new Map(model.paths.node.map((end, path) => [end, path]));
    return new VirtualTable("Who holds the memory", columns, holders.node.length, "holders", (row) => {
      const path = paths.get(holders.node[row]);
      if (path !== undefined) {
        this.onOpen(path);
      }
    })
      .keepAs("memory")
      .sortBy("alone", true);
  }

  /** A bar for each allocator, in proportion to the largest. */
  private pools(): HTMLElement[] {
    const { allocator, direct, bytes: sizes, held, idle, notLocated, taken, free, other } = this.memory.pools;
    const most = Math.max(1, ...sizes);
    return allocator.map((name, i) => {
      const part = (style: string, size: number) => {
        const bar = el("span", { class: `part ${style}` });
        bar.style.width = `${(100 * size) / most}%`;
        return bar;
      };
      return el(
        "div",
        { class: "pool" },
        el("p", {}, el("strong", {}, `${name}, ${direct[i] ? "direct" : "heap"}: ${bytes(sizes[i])}`), ` = held by buffers ${bytes(held[i])} + idle ${bytes(idle[i])} + not located ${bytes(notLocated[i])}`),
        ...(held[i] > 0 && taken[i] >= 0 ? [el("p", { class: "pool-held" }, `Held: ${bytes(taken[i])} of live buffers, ${bytes(free[i])} free, ${bytes(other[i])} other`)] : []),
        el("div", { class: "pool-bar", "aria-hidden": "true" }, part("held", held[i]), part("idle", idle[i]), part("lost", notLocated[i])),
      );
    });
  }

  /** A box for each chunk: filled where live buffers are, hatched where others are, empty where it is free. */
  private chunks(): HTMLElement[] {
    const { size, buffers, taken, other, free, holder } = this.memory.chunks;
    if (size.length === 0) {
      return [];
    }
    const box = (i: number) => {
      const who = holder[i] === SHARED ? "several paths" : this.model.shortEnd(this.memory.holders.node[holder[i]]);
      const words = `${bytes(size[i])}: ${plural(buffers[i], "buffer")} of ${who} ${buffers[i] === 1 ? "takes" : "take"} ${bytes(taken[i])}, ${bytes(free[i])} free, ${bytes(other[i])} other`;
      const part = (style: string, value: number) => {
        const fill = el("span", { class: `part ${style}` });
        fill.style.width = `${(100 * value) / Math.max(1, size[i])}%`;
        return fill;
      };
      return el("div", { class: "chunk", role: "img", title: words, "aria-label": words }, part("held", taken[i]), part("other", other[i]));
    };
    const shown = size.slice(0, BOXES);
    const more = size.length > shown.length ? `; the largest ${count(shown.length)} are shown` : "";
    return [
      el("p", { class: "chunks-note" }, `${plural(size.length, "chunk")} with live buffers${more}. Filled: live buffers; hatched: other, such as caches of threads, rounding, free parts of pages in use, buffers that are not followed; empty: free, and yet not given back.`),
      el("div", { class: "chunks", role: "group", tabindex: "0", "aria-label": "Chunks" }, ...shown.map((_, i) => box(i))),
    ];
  }
}
