// The state of the agent's own threads. Each works in rounds and survives a failed one.
import { el } from "../src/dom.ts";
import type { PageJson } from "../src/pagejson.ts";
import { age, count } from "../src/words.ts";

const COLUMNS = ["Thread", "Last round", "Rounds", "Failures", "Last failure"];

export class Threads {
  // It scrolls sideways where the page is narrow, by the keyboard too.
  readonly element = el("section", { class: "threads", "aria-labelledby": "threads-title", tabindex: "0" });

  show(page: PageJson): void {
    const now = Date.parse(page.takenAt ?? "");
    const rows = (page.tracker?.threads ?? []).map((thread) =>
      el(
        "tr",
        thread.failures > 0 ? { class: "failed" } : {},
        el("th", { scope: "row" }, thread.name),
        el("td", {}, thread.lastRound ? `${age(Math.max(0, now - Date.parse(thread.lastRound)))} ago` : "none yet"),
        el("td", {}, count(thread.rounds)),
        el("td", {}, count(thread.failures)),
        el("td", {}, thread.lastFailure ?? ""),
      ),
    );
    this.element.replaceChildren(
      el("h2", { id: "threads-title" }, "The agent's threads"),
      el("table", {}, el("thead", {}, el("tr", {}, ...COLUMNS.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows)),
    );
  }
}
