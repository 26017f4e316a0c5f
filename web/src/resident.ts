// The whole process: who shares its resident set.
import { el, scrolledTable, titledSection } from "./dom.ts";
import type { ResidentJson } from "./pagejson.ts";
import { bytes, share, time } from "./words.ts";

export function residentSection({ owners, limits, takenAt, unknown }: ResidentJson): HTMLElement {
  if (unknown !== undefined) {
    return section(el("p", { class: "memory-unexplained" }, `Not known: ${unknown}.`));
  }
  const sum = owners.reduce((all, owner) => all + owner.residentBytes, 0);
  const most = Math.max(1, ...owners.map((owner) => owner.residentBytes));
  const rows = owners
    .filter((owner) => owner.residentBytes > 0 || owner.notInRamBytes > 0)
    .sort((a, b) => b.residentBytes - a.residentBytes)
    .map(({ owner, residentBytes, notInRamBytes, known }) => {
      const bar = el("span", { class: owner === "not known" ? "part other" : "part held" });
      bar.style.width = `${(100 * residentBytes) / most}%`;
      const words = [known, notInRamBytes > 0 ? `${bytes(notInRamBytes)} more not in RAM` : ""].filter(Boolean).join("; ");
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, owner),
        el("td", { class: "number" }, bytes(residentBytes)),
        el("td", { class: "number" }, share(residentBytes, sum)),
        el("td", {}, el("div", { class: "histogram-bar", "aria-hidden": "true" }, bar)),
        el("td", { class: "resident-known" }, words),
      );
    });
  const seen = takenAt ? ` Looked at ${time(Date.parse(takenAt))}, once a minute.` : "";
  return section(
    el("p", { class: "memory-lead" }, el("strong", {}, `${bytes(sum)} in RAM`), `, each page counted once.${seen}`),
    scrolledTable("resident", "Owners of the resident set", ["Owner", "In RAM", "Share", "", "What is known"], rows),
    el("p", { class: "chunks-note" }, `Limits: ${limits.join("; ")}.`),
  );
}

function section(...children: HTMLElement[]): HTMLElement {
  return titledSection("resident", "The whole process", { class: "memory" }, ...children);
}
