// The list of leaks, worst first, by place or path by path. Each entry opens to its details.
import { type Choice, el, onWindow, segmented, titledSection } from "./dom.ts";
import { totalsOf } from "./headline.ts";
import { type Model, total } from "./model.ts";
import { actions, fates, leakTable } from "./path.ts";
import { withoutReturns } from "./returns.ts";
import { onBack, setState, stateOf } from "./state.ts";
import { age, bytes, count, plural, share, shortName } from "./words.ts";

const FIRST = 20;
const MORE = 100;
/** Above this number, paths are grouped by their last hop unless the user chose otherwise. */
const MANY = 20;
const PRINTED_PATHS = 5;

type Grouping = "path" | "hop" | "method" | "class" | "allocator";
const GROUPINGS: readonly Choice<Grouping>[] = [
  { value: "path", label: "Path" },
  { value: "hop", label: "Last hop" },
  { value: "method", label: "Method" },
  { value: "class", label: "Class" },
  { value: "allocator", label: "Allocator" },
];

/** Paths that are shown together, such as all of one place. */
interface Group {
  key: string;
  leaks: number[][];
  size: number;
}

/** What was opened or closed by hand, by place: it stays so when the page is drawn anew. */
const byHand = new Map<string, boolean>();

/** Where looks at the stack saw the buffers asked for and retained, where the path does not say it. */
function evidenceOf(model: Model, path: number): HTMLElement[] {
  const { leaks } = model.json;
  const lines = leaks?.evidence?.[leaks.path.indexOf(path)] ?? "";
  return lines.split("\n").filter((line) => line !== "").map((line) => el("p", { class: "evidence" }, `${line[0].toUpperCase()}${withoutReturns(line.slice(1))}.`));
}

/** The place that had what the last hop only read, where there is one. */
function ownerOf(model: Model, path: number): HTMLElement[] {
  const owner = model.lastOwner(path);
  return owner === "" ? [] : [el("p", { class: "owner" }, `Last read in ${model.place(model.paths.node[path])}; ${owner} had it.`)];
}

/** What became of flows that came the same way, where that is known. */
function contrastOf(model: Model, path: number): HTMLElement[] {
  const { leaks } = model.json;
  const sentence = leaks?.contrast?.[leaks.path.indexOf(path)] ?? "";
  return sentence === "" ? [] : [el("p", { class: "contrast" }, `${withoutReturns(sentence)}.`)];
}

export class LeakList {
  readonly element: HTMLElement;
  private readonly list = el("ol", { class: "leaks" });
  private readonly more: HTMLButtonElement;
  private readonly summary = el("p", { class: "leaks-summary" });
  private readonly tools = el("div", { class: "controls leak-tools" });
  private passes: ((path: number) => boolean) | null = null;
  private groups: Group[] = [];
  private drawn = 0;
  /** Paths that are told together. */
  private readonly leaks: number[][];
  private readonly leakedBytes: number;

  constructor(
    private readonly model: Model,
    private readonly onZoom: (node: number) => void,
  ) {
    this.leaks = model.leaks();
    this.leakedBytes = totalsOf(model).leakedBytes;
    this.more = el("button", { type: "button", click: () => this.extend() });
    this.element = titledSection(
      "leaks",
      "Leaks, worst first",
      { class: "listing" },
      this.tools,
      this.summary,
      this.list,
      this.more,
    );
    this.tools.hidden = this.leaks.length < 2;
    this.draw();
    onBack("leaks", () => this.draw());
    onWindow("beforeprint", "leaks", () => {
      for (const details of this.list.querySelectorAll("details")) {
        details.open = true;
      }
    });
  }

  filter(passes: ((path: number) => boolean) | null): void {
    this.passes = passes;
    this.draw();
  }

  private get grouping(): Grouping {
    const chosen = stateOf("group");
    return GROUPINGS.find(({ value }) => value === chosen)?.value ?? (this.leaks.length > MANY ? "hop" : "path");
  }

  private draw(): void {
    const { grouping, passes } = this;
    this.tools.replaceChildren(
      el("span", { class: "labelled" }, "Group by", segmented("Group by", GROUPINGS, grouping, (group) => {
        setState({ group }, true);
        this.draw();
      })),
    );
    const shown = passes ? this.leaks.filter((paths) => paths.some(passes)) : this.leaks;
    this.groups = this.grouped(shown, grouping);
    this.list.replaceChildren();
    this.drawn = 0;
    this.summary.textContent = this.summarized(shown, grouping);
    this.summary.hidden = this.summary.textContent === "";
    this.extend();
    const first = this.list.querySelector("details");
    if (first && byHand.size === 0 && !passes) {
      first.open = true;
    }
  }

  private summarized(shown: number[][], grouping: Grouping): string {
    if (this.leaks.length === 0) {
      const { suspects, tracker } = this.model.json;
      const isOpen = (tracker?.undecided ?? 0) > 0 || (suspects?.path.length ?? 0) > 0;
      return isOpen ? "No leak is proved; what is live may be one." : "No leak was found; what is live may still become one.";
    }
    const places = grouping === "path" ? "" : `${plural(this.groups.length, "place")}. `;
    if (this.passes) {
      return `${places}${plural(shown.length, "leak path")} of ${count(this.leaks.length)} match the search.`;
    }
    return grouping === "path" ? "" : `${places}${plural(shown.length, "leak path")}.`;
  }

  private grouped(leaks: number[][], grouping: Grouping): Group[] {
    const { model } = this;
    const groups = new Map<string, Group>();
    for (const paths of leaks) {
      const key = grouping === "path" ? `${model.paths.node[paths[0]]} ${model.memory(paths[0])}` : this.key(paths[0], grouping);
      const group = groups.get(key) ?? { key, leaks: [], size: 0 };
      group.leaks.push(paths);
      group.size += total(paths, model.paths.leakedBytes);
      groups.set(key, group);
    }
    return [...groups.values()].sort((a, b) => b.size - a.size);
  }

  private key(path: number, grouping: Grouping): string {
    const { model } = this;
    const node = grouping === "allocator" ? model.trie.pathTo(model.paths.node[path])[0] : model.paths.node[path];
    const place = grouping === "hop" || grouping === "allocator" ? model.place(node) : model.frameName(model.trie.frame[node]);
    return grouping === "class" ? place.slice(0, Math.max(0, place.lastIndexOf("."))) || place : place;
  }

  private extend(): void {
    const next = this.groups.slice(this.drawn, this.drawn + (this.drawn === 0 ? FIRST : MORE));
    this.drawn += next.length;
    this.list.append(...next.map((group) => (this.grouping === "path" ? this.leak(group.leaks[0]) : this.place(group))));
    const left = this.groups.length - this.drawn;
    this.more.hidden = left <= 0;
    this.more.textContent = `Show ${Math.min(MORE, left)} more of ${count(left)}`;
  }

  /** All leaks of one place. */
  private place(group: Group): HTMLElement {
    const paths = group.leaks.flat();
    const name = this.grouping === "class" ? group.key.replace(/^.*\./, "") : shortName(group.key);
    const note = `${plural(group.leaks.length, "path")}, `;
    return this.row(group.key, paths, name, group.key, note, () => {
      const list = el("ol", { class: "leaks" }, ...group.leaks.slice(0, PRINTED_PATHS).map((leak) => this.leak(leak)));
      let shown = Math.min(PRINTED_PATHS, group.leaks.length);
      const more = el("button", {
        type: "button",
        click: () => {
          list.append(...group.leaks.slice(shown, shown + MORE).map((leak) => this.leak(leak)));
          shown += MORE;
          label();
        },
      });
      const label = () => {
        const left = group.leaks.length - shown;
        more.hidden = left <= 0;
        more.textContent = `Show ${Math.min(MORE, left)} more of ${count(left)}`;
      };
      label();
      return [el("div", { class: "leaks-below" }, list, more)];
    });
  }

  /** Paths that differ in reference counts alone. */
  private leak(paths: number[]): HTMLElement {
    const { model } = this;
    const node = model.paths.node[paths[0]];
    const key = model.trie.pathTo(node).map((hop) => model.place(hop)).join(">");
    const owner = model.lastOwner(paths[0]);
    const name = owner === "" ? model.shortEnd(node) : `${shortName(owner)}, last read in ${model.shortEnd(node)}`;
    return this.row(key, paths, name, model.place(node), "", () => [
      el("div", { class: "leak-body" }, el("div", {}, fates(model, ...paths), ...ownerOf(model, paths[0]), ...evidenceOf(model, paths[0]), ...contrastOf(model, paths[0]), actions(model, paths[0], this.onZoom)), leakTable(model, paths)),
    ]);
  }

  private row(key: string, paths: number[], name: string, title: string, note: string, below: () => HTMLElement[]): HTMLElement {
    const { model } = this;
    const p = model.paths;
    const flows = total(paths, p.leaked);
    const held = total(paths, model.held);
    const memories = new Set(paths.map((path) => model.memory(path)));
    const kind = memories.has("direct") ? "critical" : memories.has("heap") ? "moderate" : "resource";
    const size = total(paths, p.leakedBytes);
    const times = model.leakTimes(paths);
    const isResource = kind === "resource" && size === 0;
    const details = el(
      "details",
      {},
      el(
        "summary",
        {
          click: () => byHand.set(key, !details.open),
        },
        el("span", { class: `severity ${kind === "critical" ? kind : "moderate"}` }, kind),
        el("span", { class: "leak-place", title }, name),
        el("span", { class: "leak-figure" }, isResource ? `${count(flows)} ×` : bytes(size)),
        el(
          "span",
          { class: "leak-note" },
          isResource
            ? `${note}${model.resource(paths[0])} not closed`
            : `${note}${plural(flows, "flow")}${held > 0 ? `, holding ${count(held)} more` : ""} · ${share(size, this.leakedBytes)} of leaked bytes`,
          times ? ` · since ${age(times.since)}` : null,
        ),
      ),
    );
    // What is below is made when it is first looked at.
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        details.append(...below());
      }
    });
    if (byHand.get(key)) {
      details.open = true;
    }
    return el("li", {}, details);
  }
}
