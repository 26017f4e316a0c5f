// Direct buffers of the JDK that the application allocated, by call, beside what the JVM and Netty count.
import { el } from "./dom.ts";
import type { DirectColumns } from "./pagejson.ts";
import { type Column, numericColumn, VirtualTable } from "./table.ts";
import { bytes, count, plural, share } from "./words.ts";

export function directSection({ calls, accounts }: DirectColumns): HTMLElement {
  const { place, live, liveBytes, allocated, allocatedBytes } = calls;
  const sum = liveBytes.reduce((all, size) => all + size, 0);
  const columns: Column[] = [
    {
      id: "place",
      label: "Allocated by",
      numeric: false,
      weight: 5,
      width: 14,
      text: (row) => short(place[row]),
      title: (row) => place[row],
      compare: (a, b) => place[a].localeCompare(place[b]),
    },
    numericColumn("live", "Buffers", live, count, { minor: true }),
    numericColumn("liveBytes", "Live", liveBytes, bytes),
    numericColumn("allocated", "Times", allocated, count, { minor: true }),
    numericColumn("allocatedBytes", "Allocated", allocatedBytes, bytes, { middling: true }),
  ];
  const table = new VirtualTable("Direct buffers by call", columns, place.length, "calls", null).keepAs("direct").sortBy("liveBytes", true);
  const lead = place.length === 0 ? "No call of yours allocated any" : `${plural(live[0], "buffer")} of ${short(place[0])} ${live[0] === 1 ? "has" : "have"} ${bytes(liveBytes[0])}`;
  return el(
    "div",
    { class: "direct" },
    el("h3", {}, "Direct buffers of your own calls"),
    el("p", { class: "memory-lead" }, el("strong", {}, lead), place.length > 1 ? ` of ${bytes(sum)} by all calls.` : "."),
    el(
      "div",
      { class: "memory-desk" },
      table.element,
      el("div", {}, ...accounts.account.map((name, i) => account(name, accounts.buffers[i], accounts.bytes[i], accounts.limit[i], sum))),
    ),
  );
}

/** The class without its package, the method and the line. */
function short(place: string): string {
  const [head, line] = place.split(":");
  const parts = head.split(".");
  return parts.slice(-2).join(".") + (line ? `:${line}` : "");
}

/** A bar against the limit, or a line where there is none. */
function account(name: string, buffers: number, size: number, limit: number, byCalls: number): HTMLElement {
  const words = [
    buffers >= 0 ? ` in ${plural(buffers, "buffer")}` : "",
    limit > 0 ? `, ${share(size, limit)} of at most ${bytes(limit)}` : "",
    name === "JVM, direct" ? `; ${bytes(Math.max(0, size - byCalls))} of it not by these calls: NIO's own by thread, Netty's, and libraries'` : "",
  ];
  const bar = el("span", { class: "part held" });
  bar.style.width = `${limit > 0 ? Math.min(100, (100 * size) / limit) : 0}%`;
  return el(
    "div",
    { class: "pool" },
    el("p", {}, el("strong", {}, `${name}: ${bytes(size)}`), words.join("")),
    ...(limit > 0 ? [el("div", { class: "pool-bar", "aria-hidden": "true" }, bar)] : []),
  );
}
