// A table of any length: only the rows in view exist.
import { el, onWindow } from "./dom.ts";
import { setState, stateOf } from "./state.ts";

export interface Column {
  id: string;
  label: string;
  /** Numbers stand right. */
  numeric: boolean;
  /** How much of the width a text gets, against 1 for a number. */
  weight?: number;
  /** The least width of a text in rem. */
  width?: number;
  /** Left out where the table is narrow, or only where it is as narrow as a phone. */
  minor?: boolean | undefined;
  middling?: boolean;
  text(row: number): string;
  /** Text in front where there is room, such as the package of a class. */
  prefix?(row: number): string;
  /** What full text to show on hover, where `text` is shortened. */
  title?(row: number): string;
  /** A class for the cell of a row. */
  style?(row: number): string;
  compare(a: number, b: number): number;
}

/** A column of numbers, with the look that `style` adds. */
export function numericColumn(id: string, label: string, values: ArrayLike<number>, text: (n: number) => string, style: Partial<Column> = {}): Column {
  return { id, label, numeric: true, text: (row) => text(values[row]), compare: (a, b) => values[a] - values[b], ...style };
}

/** Rows that are asked how long their figures are, beside the one with the largest. */
const ASKED_ROWS = 200;
const REM_OF_CHARACTER = 0.5;
const REM_OF_PADDING = 1.3;

/** What a column of numbers needs in rem, so that neither its head with the arrow nor a figure is cut. */
function needOf({ label, text, compare }: Column, rows: number): number {
  let longest = label.length + 2;
  let largest = 0;
  const step = Math.max(1, Math.ceil(rows / ASKED_ROWS));
  for (let row = 0; row < rows; row++) {
    largest = compare(row, largest) > 0 ? row : largest;
    longest = row % step === 0 ? Math.max(longest, text(row).length) : longest;
  }
  longest = rows > 0 ? Math.max(longest, text(largest).length) : longest;
  return longest * REM_OF_CHARACTER + REM_OF_PADDING;
}

function trackOf(column: Column, rows: number): string {
  return column.numeric ? `minmax(${Math.max(6.4, needOf(column, rows))}rem, 1fr)` : `minmax(${column.width ?? 6}rem, ${column.weight ?? 1}fr)`;
}

function narrowTrackOf(column: Column, rows: number): string {
  return column.numeric ? `max(var(--number), ${needOf(column, rows)}rem)` : "minmax(0, 2fr)";
}

const ROW_HEIGHT = 32;
const SPARE_ROWS = 12;
const PRINTED_ROWS = 100;

export class VirtualTable {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly body: HTMLElement;
  private readonly head: HTMLElement;
  private readonly summary: HTMLElement;
  private all: Int32Array;
  private rows: Int32Array;
  private sortColumn: Column;
  private descending = true;
  private active = 0;
  private printing = false;
  private keep = "";

  constructor(
    label: string,
    private readonly columns: Column[],
    rowCount: number,
    private readonly noun: string,
    private readonly onOpen: ((row: number) => void) | null,
  ) {
    this.all = Int32Array.from({ length: rowCount }, (_, i) => i);
    this.rows = this.all;
    this.sortColumn = columns[0];
    this.head = el("div", { class: "vrow vhead", role: "row" });
    this.body = el("div", { class: "vbody", role: "rowgroup" });
    this.scroller = el("div", {
      class: "vtable",
      role: "grid",
      tabindex: "0",
      "aria-label": label,
      scroll: () => this.draw(),
      keydown: (event) => this.key(event as KeyboardEvent),
    });
    this.scroller.append(el("div", { role: "rowgroup", class: "vheads" }, this.head), this.body);
    this.summary = el("p", { class: "table-summary", "aria-live": "polite" });
    this.element = el("div", { class: "vholder" }, this.scroller, this.summary);
    const narrow = (shown: Column[]) => shown.map((column, i) => (i === 0 ? "minmax(0, 3fr)" : narrowTrackOf(column, rowCount))).join(" ");
    const major = columns.filter((column) => !column.minor);
    this.scroller.style.setProperty("--grid", columns.map((column) => trackOf(column, rowCount)).join(" "));
    this.scroller.style.setProperty("--narrow-grid", narrow(major));
    this.scroller.style.setProperty("--least-grid", narrow(major.filter((column) => !column.middling)));
    this.drawHead();
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    onWindow("beforeprint", "table", () => this.print(true));
    onWindow("afterprint", "table", () => this.print(false));
  }

  /** Keeps the order in the address under this name, and takes it from there instead of the first that is asked for. */
  keepAs(name: string): this {
    this.keep = name;
    return this;
  }

  /** Sorts by what was chosen before, or by a column. */
  sortBy(id: string, descending: boolean): this {
    const kept = /^(\w+)-(up|down)$/.exec(this.keep === "" ? "" : stateOf(this.keep));
    return kept ? this.sort(kept[1], kept[2] === "down") : this.sort(id, descending);
  }

  private choose(id: string, descending: boolean): void {
    if (this.keep !== "") {
      setState({ [this.keep]: `${id}-${descending ? "down" : "up"}` }, false);
    }
    this.sort(id, descending);
  }

  private sort(id: string, descending: boolean): this {
    this.sortColumn = this.columns.find((column) => column.id === id) ?? this.columns[0];
    this.descending = descending;
    this.refresh();
    return this;
  }

  /** Shows only rows that pass the filter; null shows all. */
  filter(passes: ((row: number) => boolean) | null): void {
    this.rows = passes ? this.all.filter(passes) : this.all;
    this.refresh();
  }

  private refresh(): void {
    const direction = this.descending ? -1 : 1;
    const { compare } = this.sortColumn;
    this.rows = this.rows.slice().sort((a, b) => direction * compare(a, b) || a - b);
    this.active = 0;
    this.scroller.scrollTop = 0;
    this.scroller.setAttribute("aria-rowcount", String(this.rows.length + 1));
    this.body.style.height = `${this.rows.length * ROW_HEIGHT}px`;
    const of = this.rows.length === this.all.length ? "" : ` of ${this.all.length.toLocaleString("en")}`;
    this.summary.textContent = `${this.rows.length.toLocaleString("en")}${of} ${this.all.length === 1 ? this.noun.replace(/s$/, "") : this.noun}`;
    this.drawHead();
    this.draw();
  }

  private drawHead(): void {
    this.head.replaceChildren(
      ...this.columns.map((column) => {
        const sorted = column === this.sortColumn;
        const cell = el(
          "div",
          {
            role: "columnheader",
            class: this.classOf(column),
            "aria-sort": sorted ? (this.descending ? "descending" : "ascending") : "none",
          },
          el(
            "button",
            {
              type: "button",
              click: () => this.choose(column.id, sorted ? !this.descending : column.numeric),
            },
            column.label,
            el("span", { "aria-hidden": "true" }, sorted ? (this.descending ? " ▾" : " ▴") : ""),
          ),
        );
        return cell;
      }),
    );
  }

  private classOf(column: Column): string {
    return `vcell${column.numeric ? " numeric" : ""}${column.minor ? " minor" : ""}${column.middling ? " middling" : ""}`;
  }

  private draw(): void {
    const visible = Math.ceil(this.scroller.clientHeight / ROW_HEIGHT);
    const top = Math.floor(this.scroller.scrollTop / ROW_HEIGHT);
    const from = this.printing ? 0 : Math.max(0, top - SPARE_ROWS);
    const until = this.printing ? PRINTED_ROWS : top + visible + SPARE_ROWS;
    const to = Math.min(this.rows.length, until);
    const drawn: HTMLElement[] = [];
    for (let i = from; i < to; i++) {
      drawn.push(this.row(i));
    }
    this.body.replaceChildren(...drawn);
    this.markActive();
  }

  private row(index: number): HTMLElement {
    const row = this.rows[index];
    const cells = this.columns.map((column, i) => {
      const prefix = column.prefix?.(row) ?? "";
      const text = [prefix === "" ? null : el("span", { class: "prefix" }, prefix), column.text(row)];
      return el(
        "div",
        { role: "gridcell", class: `${this.classOf(column)} ${column.style?.(row) ?? ""}`.trim(), title: column.title?.(row) ?? false },
        // A name is cut at its beginning, where the package is.
        ...(i === 0 ? [el("bdi", { dir: "ltr" }, ...text)] : text),
      );
    });
    const element = el(
      "div",
      {
        class: "vrow",
        role: "row",
        id: `${this.noun.replace(/\W/g, "")}-row-${index}`,
        "aria-rowindex": index + 2,
        click: () => this.open(index),
      },
      ...cells,
    );
    element.style.top = `${index * ROW_HEIGHT}px`;
    return element;
  }

  private open(index: number): void {
    this.active = index;
    this.markActive();
    if (this.rows.length > 0) {
      this.onOpen?.(this.rows[index]);
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.scroller) {
      return;
    }
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    if (event.key in steps) {
      event.preventDefault();
      this.moveTo(Math.max(0, Math.min(this.rows.length - 1, this.active + steps[event.key])));
    } else if (event.key === "Enter" && this.rows.length > 0) {
      event.preventDefault();
      this.open(this.active);
    }
  }

  private moveTo(index: number): void {
    this.active = index;
    const top = index * ROW_HEIGHT;
    const bottom = top + 2 * ROW_HEIGHT - this.scroller.clientHeight;
    this.scroller.scrollTop = Math.min(top, Math.max(bottom, this.scroller.scrollTop));
    this.draw();
  }

  private markActive(): void {
    const id = `${this.noun.replace(/\W/g, "")}-row-${this.active}`;
    for (const row of this.body.children) {
      row.classList.toggle("active", row.id === id);
    }
    if (document.getElementById(id)) {
      this.scroller.setAttribute("aria-activedescendant", id);
    } else {
      this.scroller.removeAttribute("aria-activedescendant");
    }
  }

  private print(on: boolean): void {
    this.printing = on;
    this.draw();
    const rows = on ? Math.min(PRINTED_ROWS, this.rows.length) : this.rows.length;
    this.body.style.height = `${rows * ROW_HEIGHT}px`;
  }
}
