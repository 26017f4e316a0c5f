// The flame graph, root on top: d3 joins the boxes of the layout to SVG. Works by mouse, touch and keyboard.
import { select } from "d3-selection";
import { el } from "./dom.ts";
import { type Box, type Layout, layOut } from "./layout.ts";
import { type Matches, type Model, Series } from "./model.ts";
import { amount, plural, share } from "./words.ts";

const ROW = 22;
const CHARACTER = 7.3;
let instances = 0;

/** Says more of frames than their width does. */
export interface Shading {
  /** A CSS colour. */
  colour(node: number): string;
  /** Goes before the name of a frame; empty for most. */
  mark(node: number): string;
  /** Follows what is said of a frame; node -1 is everything. */
  words(node: number): string;
}

export class Flame {
  readonly element: HTMLElement;
  private readonly id = `flame${instances++}`;
  private readonly svg: SVGSVGElement;
  private readonly detail: HTMLElement;
  private readonly crumbs: HTMLElement;
  private readonly note: HTMLElement;
  private series: Series;
  private matches: Matches | null = null;
  private focus = -1;
  private cursor = -1;
  private layout: Layout = { boxes: [], rows: 0, cut: false };
  private width = 0;

  constructor(
    private readonly model: Model,
    series: Series,
    private readonly everything: string,
    private readonly shading: Shading | null = null,
  ) {
    this.series = series;
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("role", "tree");
    this.svg.setAttribute("tabindex", "0");
    this.svg.addEventListener("click", (event) => this.click(event));
    this.svg.addEventListener("pointerover", (event) => this.describe(this.boxAt(event)));
    this.svg.addEventListener("pointerleave", () => this.describe(this.boxOf(this.cursor)));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.detail = el("p", { class: "flame-detail", "aria-live": "polite" });
    this.crumbs = el("p", { class: "flame-crumbs" });
    this.note = el("p", { class: "flame-note" });
    const holder = el("div", { class: "flame" }, this.svg);
    this.element = el("div", {}, this.crumbs, holder, this.detail, this.note);
    new ResizeObserver(() => this.resize(holder.clientWidth)).observe(holder);
  }

  show(series: Series): void {
    this.series = series;
    if (this.focus >= 0 && series.at(this.focus) === 0) {
      this.focus = -1;
    }
    this.cursor = this.focus;
    this.draw();
  }

  highlight(matches: Matches | null): void {
    this.matches = matches;
    this.draw();
  }

  zoom(node: number): void {
    this.focus = node;
    this.cursor = node;
    this.draw();
  }

  private resize(width: number): void {
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  private draw(): void {
    if (this.width === 0) {
      return;
    }
    this.layout = layOut(this.model.trie, this.series, this.focus, this.width);
    this.svg.setAttribute("width", String(this.width));
    this.svg.setAttribute("height", String(this.layout.rows * ROW));
    this.svg.setAttribute(
      "aria-label",
      `Flame graph of ${this.everything}, ${amount(this.series.sum, this.series.unit)}. Arrow keys move, Enter zooms, Escape zooms out.`,
    );
    this.drawBoxes();
    this.drawCrumbs();
    this.describe(this.boxOf(this.cursor));
    this.note.textContent = this.layout.cut
      ? "Deeper frames are not drawn at this zoom; zoom into a frame to see them."
      : "";
    this.note.hidden = !this.layout.cut;
  }

  private drawBoxes(): void {
    const groups = select(this.svg)
      .selectAll<SVGGElement, Box>("g")
      .data(this.layout.boxes)
      .join((enter) => {
        const g = enter.append("g").attr("role", "treeitem");
        g.append("rect").attr("height", ROW - 1);
        g.append("text").attr("x", 4).attr("y", ROW - 7);
        return g;
      });
    groups
      .attr("id", (_, i) => `${this.id}-${i}`)
      .attr("data-box", (_, i) => i)
      .attr("aria-level", (box) => box.row + 1)
      .attr("aria-label", (box) => this.sentence(box))
      .attr("class", (box) => this.classOf(box))
      .attr("transform", (box) => `translate(${box.x.toFixed(2)},${box.row * ROW})`);
    groups
      .select<SVGRectElement>("rect")
      .attr("width", (box) => Math.max(box.width - 0.6, 0.6).toFixed(2))
      .style("fill", (box) => (box.folded > 0 || box.node < 0 ? null : this.colour(box.node)));
    groups.select<SVGTextElement>("text").text((box) => this.label(box));
    this.markCursor();
  }

  private classOf(box: Box): string {
    const classes = ["frame"];
    if (box.node < 0) {
      classes.push("all");
    }
    if (box.folded > 0) {
      classes.push("folded");
    }
    if (box.above) {
      classes.push("above");
    }
    if (this.matches && box.node >= 0) {
      classes.push(this.matches.hit[box.node] && box.folded === 0 ? "hit" : "miss");
    }
    return classes.join(" ");
  }

  /** One hue for each class or library, so that what belongs together looks alike. */
  private colour(node: number): string {
    if (this.shading) {
      return this.shading.colour(node);
    }
    const frame = this.model.trie.frame[node];
    const name = this.model.frameName(frame);
    const type = this.model.frameType(frame);
    const owner = type === "jvm" ? name.slice(0, Math.max(0, name.lastIndexOf("."))) : type;
    let hash = 0x811c9dc5;
    for (let i = 0; i < owner.length; i++) {
      hash = Math.imul(hash ^ owner.charCodeAt(i), 0x01000193);
    }
    const spread = (hash >>> 8) % 1000;
    const [from, range] = type === "kernel" ? [20, 15] : type === "native" ? [45, 15] : [150, 130];
    const hue = from + (spread * range) / 1000;
    return `hsl(${hue.toFixed(0)} var(--frame-s) calc(var(--frame-l) + ${(spread % 7) - 3}%))`;
  }

  private label(box: Box): string {
    const room = Math.floor((box.width - 8) / CHARACTER);
    if (room < 3) {
      return "";
    }
    const text = this.name(box);
    return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
  }

  private name(box: Box): string {
    if (box.folded > 0) {
      return `${plural(box.folded, "narrow frame")}`;
    }
    return box.node < 0 ? this.everything : (this.shading?.mark(box.node) ?? "") + this.model.shortPlace(box.node);
  }

  private sentence(box: Box): string {
    const { unit, sum } = this.series;
    if (box.folded > 0) {
      return `${plural(box.folded, "frame")} too narrow to draw here; zoom into the caller to see them`;
    }
    const value = this.series.at(box.node);
    const name = box.node < 0 ? this.everything : this.model.place(box.node);
    if (this.shading) {
      return `${name}: ${this.shading.words(box.node)}`;
    }
    const refs = box.node < 0 ? "" : this.model.refs(box.node);
    const self = box.node < 0 ? 0 : this.series.self[box.node];
    return (
      `${name}: ${amount(value, unit)}, ${share(value, sum)} of all` +
      (self > 0 && self < value ? `, ${amount(self, unit)} in itself` : "") +
      (refs ? `, reference count ${refs}` : "")
    );
  }

  private describe(box: Box | undefined): void {
    this.detail.textContent = box ? this.sentence(box) : "";
  }

  private drawCrumbs(): void {
    if (this.focus < 0) {
      this.crumbs.replaceChildren();
      this.crumbs.hidden = true;
      return;
    }
    this.crumbs.hidden = false;
    this.crumbs.replaceChildren(
      "Zoomed to ",
      el("strong", {}, this.model.shortPlace(this.focus)),
      " ",
      el("button", { type: "button", class: "plain", click: () => this.zoom(-1) }, "Show all"),
    );
  }

  private boxAt(event: Event): Box | undefined {
    const group = (event.target as Element).closest("g");
    return group ? this.layout.boxes[Number(group.dataset.box)] : undefined;
  }

  private boxOf(node: number): Box | undefined {
    return this.layout.boxes.find((box) => box.node === node && box.folded === 0);
  }

  private click(event: Event): void {
    const box = this.boxAt(event);
    if (box) {
      this.zoom(box.folded > 0 ? this.model.trie.parent[box.node] : box.node);
    }
  }

  private key(event: KeyboardEvent): void {
    const next = this.moveFor(event.key);
    if (next !== undefined) {
      event.preventDefault();
      if (next !== null) {
        next();
      }
    }
  }

  /** What a key does; null where it is the graph's key but there is nowhere to go. */
  private moveFor(key: string): (() => void) | null | undefined {
    const here = this.boxOf(this.cursor) ?? this.layout.boxes[0];
    switch (key) {
      case "Enter":
      case " ":
        return () => this.zoom(this.cursor);
      case "Escape":
      case "Backspace":
        return this.focus < 0 ? null : () => this.zoom(this.model.trie.parent[this.focus]);
      case "ArrowUp":
        return this.to(here.node < 0 ? undefined : this.boxOf(this.model.trie.parent[here.node]));
      case "ArrowDown":
        return this.to(this.layout.boxes.find((box) => this.isBelow(box, here)));
      case "ArrowRight":
        return this.to(this.neighbour(here, 1));
      case "ArrowLeft":
        return this.to(this.neighbour(here, -1));
      case "Home":
        return this.to(this.layout.boxes[0]);
      default:
        return undefined;
    }
  }

  private isBelow(box: Box, here: Box): boolean {
    return box.row === here.row + 1 && box.folded === 0 && box.x >= here.x && box.x < here.x + here.width;
  }

  private neighbour(here: Box, step: 1 | -1): Box | undefined {
    const row = this.layout.boxes.filter((box) => box.row === here.row && box.folded === 0);
    return row[row.indexOf(here) + step];
  }

  private to(box: Box | undefined): (() => void) | null {
    if (!box) {
      return null;
    }
    return () => {
      this.cursor = box.node;
      this.markCursor();
      this.describe(box);
    };
  }

  private markCursor(): void {
    const index = this.layout.boxes.findIndex((box) => box.node === this.cursor && box.folded === 0);
    select(this.svg)
      .selectAll<SVGGElement, Box>("g")
      .classed("cursor", (_, i) => i === index);
    this.svg.setAttribute("aria-activedescendant", `${this.id}-${Math.max(0, index)}`);
  }
}
