// When samples were taken: seconds from left to right, parts of a second from top to bottom. A range chosen here filters the page.
import { el, onWindow } from "./dom.ts";
import type { Range } from "./filter.ts";
import { addTo, darkest, darkness, emptyGrid, type HeatGrid } from "./heatgrid.ts";
import { Theme } from "./palette.ts";
import { nanoseconds } from "./words.ts";

const LEFT = 52;
const BOTTOM = 22;
const HEIGHT = 140;
const WIDEST_COLUMN = 96;
const NARROWEST_COLUMN = 4;
const LABEL_WIDTH = 70;

/** What is drawn: samples of one kind that the other filters leave. */
export interface Heat {
  words(value: number): string;
  /** Milliseconds of all kinds, and what times are exact to; grain 0 for no times. */
  length: number;
  grain: number;
  each(visit: (time: number, value: number) => void): void;
}

export class Heatmap {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly tip = el("div", { class: "flame-tip", "aria-hidden": "true", hidden: true });
  private readonly plot: HTMLElement;
  private readonly detail = el("p", { class: "heat-detail", "aria-live": "polite" });
  private heat: Heat | null = null;
  private grid: HeatGrid = emptyGrid(0, 1000, 1);
  private range: Range | null = null;
  private width = 0;
  private cursor = 0;
  /** Where the pointer went down, while it is. */
  private begun = -1;
  private over = -1;

  /**
   * @param start milliseconds since the epoch
   * @param onChoose gets a range, or null for all times
   */
  constructor(
    private readonly start: number,
    private readonly onChoose: (range: Range | null) => void,
  ) {
    const label = "Heatmap. Arrow keys go from cell to cell, with Shift they choose a range. Enter chooses the column, Escape all times.";
    this.plot = el("div", { class: "heat-plot", role: "group", tabindex: "0", "aria-label": label }, this.canvas, this.tip);
    this.element = el("div", { class: "heat" }, this.plot, this.detail);
    const on = <E extends Event>(type: string, handler: (event: E) => void) => this.plot.addEventListener(type, handler as (event: Event) => void);
    on<PointerEvent>("pointerdown", (event) => this.down(event));
    on<PointerEvent>("pointermove", (event) => this.move(event));
    on<PointerEvent>("pointerup", (event) => this.up(event));
    on("pointercancel", () => this.leave());
    on("pointerleave", () => this.leave());
    on<KeyboardEvent>("keydown", (event) => this.key(event));
    on("focus", () => this.paint(new Theme(false)));
    on("blur", () => this.leave());
    new ResizeObserver(() => this.resize()).observe(this.plot);
    onWindow("themechange", "heatmap", () => this.paint(new Theme(false)));
    onWindow("beforeprint", "heatmap", () => this.paint(new Theme(true)));
    onWindow("afterprint", "heatmap", () => this.paint(new Theme(false)));
  }

  show(heat: Heat, range: Range | null): void {
    this.heat = heat;
    this.range = range;
    this.draw();
  }

  private resize(): void {
    const width = this.plot.clientWidth;
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  private draw(): void {
    const { heat, width } = this;
    if (!heat || width === 0) {
      return;
    }
    this.plot.hidden = heat.grain === 0;
    if (heat.grain === 0) {
      this.detail.textContent = "Samples of this kind have no times.";
      return;
    }
    this.grid = emptyGrid(heat.length, heat.grain, Math.floor((width - LEFT - 8) / NARROWEST_COLUMN));
    heat.each((time, value) => addTo(this.grid, time, value));
    this.cursor = Math.min(this.cursor, this.grid.values.length - 1);
    this.paint(new Theme(false));
    this.describe();
  }

  private get columnWidth(): number {
    return Math.min(WIDEST_COLUMN, (this.width - LEFT - 8) / this.grid.columns);
  }

  private get rowHeight(): number {
    return HEIGHT / this.grid.rows;
  }

  private paint(theme: Theme): void {
    const { canvas, grid, width } = this;
    if (width === 0 || !this.heat || this.heat.grain === 0) {
      return;
    }
    const density = devicePixelRatio || 1;
    canvas.width = width * density;
    canvas.height = (HEIGHT + BOTTOM) * density;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${HEIGHT + BOTTOM}px`;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.scale(density, density);
    context.fillStyle = theme.all;
    context.fillRect(LEFT, 0, grid.columns * this.columnWidth, HEIGHT);
    context.fillStyle = theme.heat;
    const full = darkest(grid);
    for (let cell = 0; cell < grid.values.length; cell++) {
      const dark = darkness(grid.values[cell], full);
      if (dark > 0) {
        context.globalAlpha = dark;
        const [x, y] = this.corner(cell);
        const gap = this.columnWidth >= 8 ? 1 : 0;
        context.fillRect(x, y, this.columnWidth - gap, this.rowHeight + (gap === 0 ? 0.3 : -0.3));
      }
    }
    context.globalAlpha = 1;
    this.paintAxes(context, theme);
    this.paintRange(context, theme);
  }

  private corner(cell: number): [number, number] {
    const { rows } = this.grid;
    return [LEFT + Math.floor(cell / rows) * this.columnWidth, (cell % rows) * this.rowHeight];
  }

  private paintAxes(context: CanvasRenderingContext2D, theme: Theme): void {
    const { grid, columnWidth } = this;
    context.fillStyle = theme.text;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (const part of [0, 0.5, 1]) {
      const y = Math.min(HEIGHT - 7, Math.max(7, part * HEIGHT));
      context.fillText(duration(part * grid.step), LEFT - 6, y);
    }
    context.textAlign = "left";
    const every = Math.max(1, Math.ceil(LABEL_WIDTH / columnWidth));
    const [nice = every] = [1, 2, 5, 10, 15, 20, 30, 60, 100, 120].filter((one) => one >= every);
    for (let column = 0; column * columnWidth + LABEL_WIDTH <= grid.columns * columnWidth + 8; column += nice) {
      const x = LEFT + column * columnWidth;
      context.fillRect(x, HEIGHT, 1, 4);
      context.fillText(this.axisText(column * grid.step), x + 3, HEIGHT + 12);
    }
    if (this.start > 0) {
      context.textAlign = "right";
      context.fillText("UTC", LEFT - 6, HEIGHT + 12);
    }
  }

  /** A clock where the time of the start is known. */
  private axisText(millis: number): string {
    return this.start > 0 ? new Date(this.start + millis).toISOString().slice(11, 19) : duration(millis);
  }

  private paintRange(context: CanvasRenderingContext2D, theme: Theme): void {
    const { grid } = this;
    const range = this.begun >= 0 ? this.between(this.begun, this.over) : this.range;
    const [from, to] = range ? [range.from / grid.cell, range.to / grid.cell] : [0, grid.values.length];
    if (range) {
      context.fillStyle = theme.panel;
      context.globalAlpha = 0.72;
      for (let column = 0; column < grid.columns; column++) {
        const top = Math.min(grid.rows, Math.max(0, from - column * grid.rows));
        const bottom = Math.min(grid.rows, Math.max(0, to - column * grid.rows));
        const x = LEFT + column * this.columnWidth;
        context.fillRect(x, 0, this.columnWidth, top * this.rowHeight);
        context.fillRect(x, bottom * this.rowHeight, this.columnWidth, HEIGHT - bottom * this.rowHeight);
      }
      context.globalAlpha = 1;
    }
    if (document.activeElement === this.plot) {
      const [x, y] = this.corner(this.cursor);
      context.strokeStyle = theme.hit;
      context.lineWidth = 2;
      context.strokeRect(x - 1, y - 1, this.columnWidth + 2, this.rowHeight + 2);
    }
  }

  private between(one: number, other: number): Range {
    const { cell } = this.grid;
    return { from: Math.min(one, other) * cell, to: (Math.max(one, other) + 1) * cell };
  }

  private column(cell: number): Range {
    const { rows, step } = this.grid;
    const column = Math.floor(cell / rows);
    return { from: column * step, to: (column + 1) * step };
  }

  private cellAt(event: PointerEvent): number {
    const { left, top } = this.plot.getBoundingClientRect();
    const column = Math.floor((event.clientX - left - LEFT) / this.columnWidth);
    const row = Math.floor((event.clientY - top) / this.rowHeight);
    const { columns, rows } = this.grid;
    if (this.begun < 0 && (column < 0 || column >= columns || row < 0 || row >= rows)) {
      return -1;
    }
    return Math.max(0, Math.min(columns - 1, column)) * rows + Math.max(0, Math.min(rows - 1, row));
  }

  private down(event: PointerEvent): void {
    const cell = this.cellAt(event);
    if (cell >= 0 && event.button === 0) {
      this.begun = cell;
      this.over = cell;
      this.cursor = cell;
      this.plot.setPointerCapture(event.pointerId);
    }
  }

  private move(event: PointerEvent): void {
    const cell = this.cellAt(event);
    this.over = cell;
    if (this.begun >= 0) {
      this.paint(new Theme(false));
    }
    this.tip.hidden = cell < 0;
    if (cell >= 0) {
      this.tip.textContent = this.begun >= 0 && this.begun !== cell ? this.words(this.between(this.begun, cell)) : this.sentence(cell);
      this.detail.textContent = this.tip.textContent;
      const width = this.tip.offsetWidth;
      this.tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
      this.tip.style.top = `${event.clientY + 18}px`;
    }
  }

  /** One cell alone stands for its column: a 50th of a second is too little to look at. */
  private up(event: PointerEvent): void {
    const { begun } = this;
    if (begun >= 0) {
      const cell = this.cellAt(event);
      this.begun = -1;
      this.onChoose(cell === begun ? this.column(cell) : this.between(begun, cell));
    }
  }

  private leave(): void {
    this.begun = -1;
    this.tip.hidden = true;
    this.paint(new Theme(false));
    this.describe();
  }

  private key(event: KeyboardEvent): void {
    const { rows, values } = this.grid;
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -rows, ArrowRight: rows, Home: -values.length, End: values.length };
    if (event.key in steps) {
      const before = this.cursor;
      this.cursor = Math.max(0, Math.min(values.length - 1, before + steps[event.key]));
      if (event.shiftKey) {
        this.onChoose(this.extended(before));
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.onChoose(this.column(this.cursor));
    } else if (event.key === "Escape") {
      this.onChoose(null);
    } else {
      return;
    }
    event.preventDefault();
    this.paint(new Theme(false));
    this.detail.textContent = this.sentence(this.cursor);
  }

  /** The range that has the cursor at one end, and keeps its other end. */
  private extended(before: number): Range {
    const { cell } = this.grid;
    const first = this.range ? Math.round(this.range.from / cell) : before;
    const last = this.range ? Math.round(this.range.to / cell) - 1 : before;
    return this.between(before === first ? last : first, this.cursor);
  }

  private sentence(cell: number): string {
    const from = cell * this.grid.cell;
    return `${spanText(from, from + this.grid.cell)}: ${this.heat?.words(this.grid.values[cell])}. ${clock(this.start + from)}`;
  }

  /** What a range has in all. */
  private words(range: Range): string {
    let sum = 0;
    this.heat?.each((time, value) => (sum += time >= range.from && time < range.to ? value : 0));
    return `${spanText(range.from, range.to)}: ${this.heat?.words(sum)}`;
  }

  private describe(): void {
    const { heat, grid } = this;
    if (heat && heat.grain > 0) {
      this.detail.textContent = this.range
        ? this.words(this.range)
        : `A column is ${duration(grid.step)}, a cell ${duration(grid.cell)} with ${heat.words(grid.max)} at most. Drag to choose a range, or click a column.`;
    }
  }
}

/** `1.5 s`, without digits that say nothing. */
export function duration(millis: number): string {
  return nanoseconds(millis * 1e6).replace(/^0 ns$/, "0").replace(/\.0 /, " ");
}

export function spanText(from: number, to: number): string {
  const digits = (to - from) % 1000 === 0 && from % 1000 === 0 ? 0 : 3;
  return `${(from / 1000).toFixed(digits)} to ${(to / 1000).toFixed(digits)} s`;
}

function clock(millis: number): string {
  return `${new Date(millis).toISOString().slice(11, 23)} UTC`;
}
