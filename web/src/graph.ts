// One flame graph on a canvas: where its frames are, for pointer, keyboard and screen reader.
import { el, onWindow } from "./dom.ts";
import { type Box, EVERYTHING, type Focus, focusOf, type Layout, layOut, pathTo } from "./layout.ts";
import { paint, type Picture, ROW, top } from "./paint.ts";
import type { Palette } from "./palette.ts";
import type { View } from "./view.ts";

/** How much is drawn beyond the window, so that scrolling shows frames at once. */
const SPARE = 400;
/** Rows of one piece of paper, and how wide it is. */
const PRINTED_ROWS = 38;
/** Fewer rows, since the first sheet has a heading above the graph. */
const FIRST_ROWS = 20;
const PRINTED_WIDTH = 720;
const PRINTED_DENSITY = 2;
/** Frames that a screen reader is told of: those that have room for a name. */
const TOLD = 150;
const TOLD_WIDTH = 40;
/** How far a wheel turns for one step, as the browser counts it. */
const WHEEL_STEP = 40;
let instances = 0;

/** What the graph is part of. */
export interface Host {
  /** The text on a frame. */
  name(view: View, box: Box): string;
  /** All about a frame. */
  sentence(view: View, box: Box): string;
  isHit(view: View, box: Box): boolean;
  /** Called when the pointer is over a frame, or leaves; then the cursor's frame counts. */
  describe(graph: Graph, box: Box | undefined): void;
  zoom(graph: Graph, focus: Focus): void;
  menu(graph: Graph, box: Box, x: number, y: number): void;
}

export class Graph {
  readonly element: HTMLElement;
  focus: Focus = EVERYTHING;
  private readonly id = `flame${instances++}`;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly told = el("div", { class: "told", role: "none" });
  private readonly tip = el("div", { class: "flame-tip", "aria-hidden": "true", hidden: true });
  private readonly paper = el("div", { class: "flame-paper", "aria-hidden": "true" });
  private layout: Layout = { boxes: [], rows: 0, cut: false };
  private rows: Box[][] = [];
  private cursor: Box | undefined;
  private hovered: Box | undefined;
  private width = 0;
  private from = 0;
  private view: View | null = null;
  private palette: Palette | null = null;
  private searching = false;
  private turned = 0;
  /** Whether the cursor is at a match that was gone to, and is shown without the focus too. */
  private atMatch = false;

  constructor(
    private readonly host: Host,
    readonly label: string,
    private readonly flipped: boolean,
  ) {
    this.element = el("div", { class: "flame", role: "tree", tabindex: "0", "aria-label": label }, this.canvas, this.told, this.tip, this.paper);
    const on = <E extends Event>(type: string, handler: (event: E) => void) => this.element.addEventListener(type, handler as (event: Event) => void);
    on<PointerEvent>("pointermove", (event) => this.point(event));
    on("pointerleave", () => this.leave());
    on<MouseEvent>("click", (event) => this.click(event));
    on<MouseEvent>("contextmenu", (event) => this.menu(event));
    on<KeyboardEvent>("keydown", (event) => this.key(event));
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    on("focus", () => this.paint());
    on("blur", () => this.paint());
    new ResizeObserver(() => this.resize()).observe(this.element);
    const purpose = flipped ? "callers" : "graph";
    onWindow("scroll", purpose, () => this.scrolled());
    onWindow("resize", purpose, () => this.paint());
    onWindow("beforeprint", purpose, () => this.print());
    onWindow("afterprint", purpose, () => this.paper.replaceChildren());
  }

  /** Draws a view, zoomed to `focus`. */
  show(view: View, palette: Palette, focus: Focus, searching: boolean): void {
    const isSame = this.view === view && this.focus === focus;
    this.view = view;
    this.palette = palette;
    this.searching = searching;
    this.atMatch = searching && this.atMatch;
    this.focus = focus;
    this.hovered = undefined;
    this.tip.hidden = true;
    this.draw(isSame ? this.cursor : undefined);
  }

  get isCut(): boolean {
    return this.layout.cut;
  }

  /** The frame that the keyboard is at. */
  get chosen(): Box | undefined {
    return this.cursor;
  }

  /** Goes to a frame if it is drawn. */
  choose(node: number): boolean {
    const box = this.layout.boxes.find((one) => one.node === node && one.folded === 0);
    if (box) {
      this.atMatch = true;
      this.moveTo(box);
      document.getElementById(this.idOf(box))?.scrollIntoView({ block: "nearest" });
    }
    return box !== undefined;
  }

  /** What is drawn of frames, in the order of rows. */
  get boxes(): readonly Box[] {
    return this.layout.boxes;
  }

  private draw(cursor?: Box): void {
    if (!this.view || this.width === 0) {
      return;
    }
    this.layout = layOut(this.view, this.focus, this.width);
    this.rows = Array.from({ length: this.layout.rows }, () => []);
    for (const box of this.layout.boxes) {
      this.rows[box.row].push(box);
    }
    const { node, from, to } = this.focus;
    const isAt = (box: Box) => box.node === node && (to > 0 ? box.folded > 0 && box.from === from : box.folded === 0);
    this.cursor = this.layout.boxes.find((box) => cursor && box.node === cursor.node && box.folded === cursor.folded) ?? this.layout.boxes.find(isAt) ?? this.layout.boxes[0];
    this.element.style.height = `${this.layout.rows * ROW + 2}px`;
    this.paint();
    this.tell();
    this.host.describe(this, this.cursor);
  }

  private picture(layout: Layout): Picture {
    const { host } = this;
    const view = this.view as View;
    const palette = this.palette as Palette;
    return {
      view,
      layout,
      palette,
      name: (box) => host.name(view, box),
      isHit: this.searching ? (box) => host.isHit(view, box) : null,
      cursor: this.atMatch || document.activeElement === this.element ? this.cursor : undefined,
      hovered: this.hovered,
      flipped: this.flipped,
    };
  }

  /** Draws what the window shows of it, since a canvas cannot be of any height. */
  private paint(): void {
    if (!this.view || this.width === 0) {
      return;
    }
    const whole = this.layout.rows * ROW;
    const above = -this.element.getBoundingClientRect().top;
    this.from = Math.max(0, Math.min(Math.floor(above) - SPARE, whole - ROW));
    const height = Math.min(whole - this.from, innerHeight + 2 * SPARE);
    this.canvas.style.top = `${this.from}px`;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    paint(this.canvas, this.picture(this.layout), this.width, this.from, height, devicePixelRatio);
  }

  private scrolled(): void {
    const { top: above } = this.element.getBoundingClientRect();
    const wanted = Math.max(0, -above);
    const drawn = this.from + this.canvas.clientHeight;
    const whole = this.layout.rows * ROW;
    if ((wanted < this.from || wanted + innerHeight > drawn) && (this.from > 0 || drawn < whole)) {
      this.paint();
    }
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.draw(this.cursor);
    }
  }

  /** Laid out anew for paper, in pieces that a page holds. */
  private print(): void {
    if (!this.view || !this.palette) {
      return;
    }
    const layout = layOut(this.view, this.focus, PRINTED_WIDTH);
    const picture = { ...this.picture(layout), palette: this.palette.printed(), cursor: undefined, hovered: undefined };
    this.paper.replaceChildren();
    for (let row = 0, end = 0; row < layout.rows; row = end) {
      end = Math.min(row + (row === 0 ? FIRST_ROWS : PRINTED_ROWS), layout.rows);
      const canvas = el("canvas");
      this.paper.append(canvas);
      paint(canvas, picture, PRINTED_WIDTH, row * ROW, (end - row) * ROW, PRINTED_DENSITY);
    }
  }

  /** Frames wide enough for a name, and that of the cursor, for those who do not see them. */
  private tell(): void {
    const { view } = this;
    if (!view) {
      return;
    }
    const shown = this.layout.boxes.filter((box) => box.width >= TOLD_WIDTH).slice(0, TOLD);
    if (this.cursor && !shown.includes(this.cursor)) {
      shown.push(this.cursor);
    }
    this.told.replaceChildren(
      ...shown.map((box) => {
        const row = this.rows[box.row];
        const item = el("div", {
          role: "treeitem",
          id: this.idOf(box),
          "aria-level": box.row + 1,
          "aria-posinset": row.indexOf(box) + 1,
          "aria-setsize": row.length,
          "aria-selected": String(box === this.cursor),
          "aria-label": this.host.sentence(view, box),
        });
        item.style.left = `${box.x}px`;
        item.style.width = `${box.width}px`;
        item.style.top = `${top(this.pictureSize, box.row)}px`;
        if (box.folded > 0 || this.under(box).length > 0) {
          item.setAttribute("aria-expanded", String(box.folded === 0));
        }
        return item;
      }),
    );
    if (this.cursor) {
      this.element.setAttribute("aria-activedescendant", this.idOf(this.cursor));
    }
  }

  private idOf(box: Box): string {
    return `${this.id}-${this.layout.boxes.indexOf(box)}`;
  }

  private boxAt(event: MouseEvent): Box | undefined {
    const { left, top: above } = this.element.getBoundingClientRect();
    const line = Math.floor((event.clientY - above) / ROW);
    const x = event.clientX - left - this.element.clientLeft;
    const row = this.rows[this.flipped ? this.layout.rows - 1 - line : line] ?? [];
    // Takes the last box that begins before the pointer, since a fold may overlap the end of its neighbour.
    return [...row].reverse().find((box) => box.x <= x && x < box.x + Math.max(box.width, 1));
  }

  private point(event: PointerEvent): void {
    const box = this.boxAt(event);
    if (box !== this.hovered) {
      this.hovered = box;
      this.element.style.cursor = box ? "pointer" : "";
      this.paint();
      this.host.describe(this, box ?? this.cursor);
    }
    this.tip.hidden = !box || event.pointerType === "touch";
    if (box && this.view) {
      this.tip.textContent = this.host.sentence(this.view, box);
      const width = Math.min(480, innerWidth - 16);
      const isLow = event.clientY > innerHeight - 140;
      this.tip.style.maxWidth = `${width}px`;
      this.tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - Math.min(width, this.tip.offsetWidth) - 8))}px`;
      this.tip.style.top = isLow ? "" : `${event.clientY + 18}px`;
      this.tip.style.bottom = isLow ? `${innerHeight - event.clientY + 12}px` : "";
    }
  }

  private leave(): void {
    this.tip.hidden = true;
    if (this.hovered) {
      this.hovered = undefined;
      this.paint();
    }
    this.host.describe(this, this.cursor);
  }

  private click(event: MouseEvent): void {
    const box = this.boxAt(event);
    if (box) {
      this.host.zoom(this, focusOf(box));
    }
  }

  /** Zooms towards the pointer, one frame at a time, on Ctrl and the wheel or a pinch, which browsers report alike. Any other turn scrolls the page. */
  private wheel(event: WheelEvent): void {
    if ((!event.ctrlKey && !event.metaKey) || !this.view) {
      return;
    }
    event.preventDefault();
    this.turned += event.deltaY;
    if (Math.abs(this.turned) < WHEEL_STEP) {
      return;
    }
    const focus = this.turned < 0 ? this.nearer(this.boxAt(event)) : this.farther();
    this.turned = 0;
    if (focus) {
      this.tip.hidden = true;
      this.host.zoom(this, focus);
    }
  }

  /** The widest frame on the way to a box that fills less than the graph does now. */
  private nearer(box: Box | undefined): Focus | null {
    const { view } = this;
    if (!box || !view) {
      return null;
    }
    if (box.folded > 0) {
      return focusOf(box);
    }
    const now = this.focus.to > 0 ? -1 : view.total(this.focus.node);
    const next = pathTo(view, box.node).find((node) => view.total(node) < now) ?? box.node;
    return { node: next, from: 0, to: 0 };
  }

  private farther(): Focus | null {
    const { view } = this;
    const { node, to } = this.focus;
    if (!view || (node < 0 && to === 0)) {
      return null;
    }
    const now = view.total(node);
    const wider = to > 0 ? node : pathTo(view, node).reverse().find((above) => view.total(above) > now);
    return { node: wider ?? -1, from: 0, to: 0 };
  }

  private menu(event: MouseEvent): void {
    const isKey = event.button !== 2;
    const box = isKey ? this.cursor : this.boxAt(event);
    if (box) {
      event.preventDefault();
      this.tip.hidden = true;
      this.moveTo(box);
      const { left, top: above } = this.element.getBoundingClientRect();
      this.host.menu(this, box, isKey ? left + box.x + 20 : event.clientX, isKey ? above + top(this.pictureSize, box.row) + ROW : event.clientY);
    }
  }

  private get pictureSize(): { layout: Layout; flipped: boolean } {
    return { layout: this.layout, flipped: this.flipped };
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const next = this.moveFor(event.key);
    if (next !== undefined) {
      event.preventDefault();
      next?.();
    }
  }

  /** What a key does; null where it is the graph's key but there is nowhere to go. */
  private moveFor(key: string): (() => void) | null | undefined {
    const here = this.cursor ?? this.layout.boxes[0];
    if (!here || !this.view) {
      return undefined;
    }
    const { view } = this;
    const [up, down] = this.flipped ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
    switch (key) {
      case "Enter":
      case " ":
        return () => this.host.zoom(this, focusOf(here));
      case "Escape":
      case "Backspace": {
        const { node, to } = this.focus;
        return node < 0 && to === 0 ? null : () => this.host.zoom(this, to > 0 ? { node, from: 0, to: 0 } : { ...EVERYTHING, node: view.parent(node) });
      }
      case up:
        return this.to(this.rows[here.row - 1]?.find((box) => box.x <= here.x + 0.5 && here.x < box.x + box.width));
      case down:
        return this.to(this.under(here)[0]);
      case "ArrowRight":
        return this.to(this.rows[here.row][this.rows[here.row].indexOf(here) + 1]);
      case "ArrowLeft":
        return this.to(this.rows[here.row][this.rows[here.row].indexOf(here) - 1]);
      case "Home":
        return this.to(this.layout.boxes[0]);
      default:
        return undefined;
    }
  }

  private under(here: Box): Box[] {
    return (this.rows[here.row + 1] ?? []).filter((box) => box.x >= here.x - 0.01 && box.x < here.x + here.width);
  }

  private to(box: Box | undefined): (() => void) | null {
    return box ? () => this.moveTo(box) : null;
  }

  private moveTo(box: Box): void {
    this.cursor = box;
    this.paint();
    this.tell();
    this.host.describe(this, box);
  }
}
