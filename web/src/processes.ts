// The processes that a page is the sum of, and how they differ.
import { el, scrolledTable, titledSection } from "./dom.ts";
import type { ProcessesJson } from "./pagejson.ts";
import { bytes, count, plural } from "./words.ts";

export function processesSection({ service, each, leaksOfSome, notListed = 0 }: ProcessesJson): HTMLElement {
  const different = each.filter(({ difference }) => difference).length;
  // What differs is what is looked for.
  const rows = [...each]
    .sort((a, b) => Number(!a.difference) - Number(!b.difference) || b.leakedBytes - a.leakedBytes)
    .map(({ process, allocated, leaked, leakedBytes, difference = "" }) =>
      el(
        "tr",
        difference === "" ? {} : { class: "differs" },
        el("th", { scope: "row" }, process),
        el("td", { class: "number" }, count(allocated)),
        el("td", { class: "number" }, count(leaked)),
        el("td", { class: "number" }, bytes(leakedBytes)),
        el("td", {}, difference),
      ),
    );
  const some = leaksOfSome.map(({ place, in: processes }) => el("li", {}, `${processes} alone: last seen in `, el("code", {}, place)));
  if (notListed > 0) {
    some.push(el("li", {}, `${count(notListed)} more that not all have`));
  }
  return titledSection(
    "processes",
    "Its processes",
    {},
    el(
      "p",
      { class: "memory-lead" },
      el("strong", {}, `${plural(each.length, "process", "processes")} of ${service}`),
      `, added up.${different === 0 ? "" : ` ${plural(different, "process differs", "processes differ")} from most.`}`,
    ),
    scrolledTable("processes", "Processes", ["Process", "Allocated", "Leaked", "Bytes", "Unlike most"], rows),
    ...(some.length > 0 ? [el("p", { class: "memory-lead" }, "Leaks that only some have:"), el("ul", { class: "partial-leaks" }, ...some)] : []),
  );
}
