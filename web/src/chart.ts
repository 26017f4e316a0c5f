// Bytes over time, live, leaked or allocated: the total as an area, the paths that keep most as lines.
import { el, onWindow, segmented } from "./dom.ts";
import { historyOf, type MinutesJson } from "./minutes.ts";
import { rangeSection } from "./range.ts";
import { onBack, setState, stateOf } from "./state.ts";
import { RETURN } from "./returns.ts";
import { allocatorName } from "./roots.ts";
import { messageOf } from "./section.ts";
import { bytes, IN_TRANSIT_NOTE, isInTransit, named, shortName } from "./words.ts";

export interface HistoryJson {
  stepMillis: number;
  times: number[];
  liveDirect: number[];
  liveHeap: number[];
  leaked: number[];
  allocated: number[];
  paths: { hops: string; memory: string; live: number[]; leaked: number[]; allocated: number[] }[];
}

const MEASURES = ["live", "leaked", "allocated"] as const;
type Timed = (typeof MEASURES)[number];
const NAMES: Record<Timed, string> = { live: "Live", leaked: "Leaked", allocated: "Allocated" };

const SPANS = ["hour", "day"] as const;
type Span = (typeof SPANS)[number];
/** Back from now, for those who do not drag. */
const LAST: [string, number][] = [
  ["Last 5 min", 300_000],
  ["Last hour", 3_600_000],
  ["All", Infinity],
];
/** Less is a click, and no range. */
const LEAST_DRAG = 4;

const HEIGHT = 240;
/** Low, since the streams below it are to begin in the window. */
const STRIP = 104;
const LEFT = 88;
/** As wide as the window from here on: then its text is as large as that of the page. */
const MARGINS = 58;
/** On a phone the drawing is narrower, so that its text does not shrink. */
const NARROW = 460;
const NARROW_SCREEN = "(max-width: 700px)";
const BOTTOM = 24;
const TOP = 10;
const TICKS = 4;

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** The smallest power of two times 1, 1.25, 1.5 or 2 of a unit that is not below `max`. */
function ceiling(max: number): number {
  let top = 1024;
  while (top < max) {
    top *= 2;
  }
  for (const part of [0.625, 0.75]) {
    if (top * part >= max) {
      return top * part;
    }
  }
  return top;
}

export class Chart {
  readonly element: HTMLElement;

  private history: HistoryJson | null = null;
  private minutes: MinutesJson | null = null;
  private readonly rangeHolder = el("div", { class: "range-holder", role: "status" });
  /** Where in the drawing a drag began, while it goes on. */
  private dragged: number | null = null;
  private begin = 0;
  private end = 1;
  private width = NARROW;
  private height = HEIGHT;

  /**
   * @param isWhole whether nothing comes any more, and all the room is for what there is
   * @param loader gets what happened minute by minute; null where nobody knows it
   */
  constructor(
    private readonly isWhole: boolean,
    private readonly loader: (() => Promise<MinutesJson | null>) | null,
  ) {
    this.element = el("section", { class: "history strip", "aria-labelledby": "history-title" });
    onBack("timeline", () => {
      this.redraw();
      void this.showRange();
    });
    onWindow("resize", "timeline", () => this.redraw());
    void this.showRange();
  }

  private async load(): Promise<MinutesJson | null> {
    return this.loader === null ? null : this.loader();
  }

  private redraw(): void {
    if (this.history && this.dragged === null) {
      this.draw(this.history);
    }
  }

  private get span(): Span {
    return SPANS.find((one) => one === stateOf("span")) ?? "hour";
  }

  private async chooseSpan(span: Span): Promise<void> {
    setState({ span: span === "hour" ? "" : span }, true);
    await this.loadDay();
  }

  private async loadDay(): Promise<void> {
    try {
      this.minutes = await this.load();
    } catch {
      // The hour stays; the line above says that the JVM cannot be reached.
    }
    this.redraw();
  }

  /** The chosen range in milliseconds since the epoch. */
  private get range(): [number, number] | null {
    const kept = /^(\d+)-(\d+)$/.exec(stateOf("range"));
    return kept ? [Number(kept[1]), Number(kept[2])] : null;
  }

  private async chooseRange(from: number, to: number): Promise<void> {
    setState({ range: `${Math.round(from)}-${Math.round(to)}` }, true);
    await this.showRange();
  }

  private async showRange(): Promise<void> {
    const { range } = this;
    if (range === null) {
      this.rangeHolder.replaceChildren();
      this.redraw();
      return;
    }
    try {
      this.minutes = await this.load();
      this.rangeHolder.replaceChildren(
        this.minutes === null
          ? el("p", {}, "What happened minute by minute is not known here.")
          : rangeSection(this.minutes, range[0], range[1], () => {
              setState({ range: "" }, true);
              void this.showRange();
            }),
      );
    } catch (error) {
      this.rangeHolder.replaceChildren(el("p", {}, `The range is not known. ${messageOf(error)}`));
    }
    this.redraw();
  }

  /** A drag over the drawing chooses a range. */
  private draggable(plot: HTMLElement, drawing: SVGElement): HTMLElement {
    if (this.loader === null) {
      return plot;
    }
    plot.classList.add("draggable");
    const at = (event: PointerEvent) => {
      const box = drawing.getBoundingClientRect();
      // The drawing keeps its shape within its box.
      const scale = Math.min(box.width / this.width, box.height / this.height);
      const left = box.left + (box.width - this.width * scale) / 2;
      return Math.max(LEFT, Math.min(this.width - 8, (event.clientX - left) / scale));
    };
    const selection = svg("rect", { class: "selection", y: TOP, height: this.height - TOP - BOTTOM, x: 0, width: 0 });
    drawing.append(selection);
    const mark = (one: number, other: number) => {
      selection.setAttribute("x", String(Math.min(one, other)));
      selection.setAttribute("width", String(Math.abs(other - one)));
    };
    const millis = (x: number) => this.begin + ((x - LEFT) / (this.width - LEFT - 8)) * (this.end - this.begin);
    const place = (time: number) => LEFT + ((Math.max(this.begin, Math.min(this.end, time)) - this.begin) / (this.end - this.begin)) * (this.width - LEFT - 8);
    if (this.range) {
      mark(place(this.range[0]), place(this.range[1]));
    }
    plot.addEventListener("pointerdown", (event) => {
      if (event.button === 0) {
        this.dragged = at(event);
        plot.setPointerCapture(event.pointerId);
        mark(this.dragged, this.dragged);
      }
    });
    plot.addEventListener("pointermove", (event) => this.dragged !== null && mark(this.dragged, at(event)));
    plot.addEventListener("pointerup", (event) => {
      const from = this.dragged;
      this.dragged = null;
      if (from !== null && Math.abs(at(event) - from) >= LEAST_DRAG) {
        void this.chooseRange(millis(Math.min(from, at(event))), millis(Math.max(from, at(event))));
      } else {
        this.redraw();
      }
    });
    plot.addEventListener("pointercancel", () => {
      this.dragged = null;
      this.redraw();
    });
    return plot;
  }

  private tools(measure: Timed): HTMLElement {
    const now = this.history?.times[this.history.times.length - 1] ?? 0;
    return el(
      "div",
      { class: "controls" },
      segmented<Timed>("Bytes", MEASURES.map((value) => ({ value, label: NAMES[value] })), measure, (value) => this.choose(value)),
      ...(this.loader === null ? [] : this.rangeTools(now)),
    );
  }

  private rangeTools(now: number): HTMLElement[] {
    return [
      segmented<Span>("Time", SPANS.map((value) => ({ value, label: value === "hour" ? "Hour" : "24 hours" })), this.span, (value) => void this.chooseSpan(value)),
      el("span", { class: "range-choices" }, "Drag over the chart for a range: ", ...LAST.map(([label, millis]) => el("button", { type: "button", click: () => void this.chooseRange(Math.max(0, now - millis), now + 60_000) }, label))),
    ];
  }

  private get measure(): Timed {
    return MEASURES.find((one) => one === stateOf("timeline")) ?? "live";
  }

  private choose(measure: Timed): void {
    setState({ timeline: measure === "live" ? "" : measure }, true);
    this.redraw();
  }

  show(history: HistoryJson): void {
    this.history = history;
    if (this.span === "day" && this.minutes === null) {
      void this.loadDay();
    }
    this.redraw();
  }

  private draw(ofHour: HistoryJson): void {
    const history = this.span === "day" && this.minutes !== null ? historyOf(this.minutes) : ofHour;
    const { measure } = this;
    const isNarrow = matchMedia(NARROW_SCREEN).matches;
    const width = isNarrow ? NARROW : Math.max(NARROW, innerWidth - MARGINS);
    const height = isNarrow ? HEIGHT : STRIP;
    const ticks = isNarrow ? TICKS : 2;
    const total = measure === "live" ? history.liveDirect.map((direct, i) => direct + history.liveHeap[i]) : history[measure];
    const last = total.length - 1;
    // Each keeps its colour, whatever is looked at.
    const shown = history.paths.map((path, i) => ({ path, i })).filter(({ path }) => path[measure].some((value) => value > 0));
    const top = ceiling(Math.max(0, ...total));
    const begin = history.times[0] ?? 0;
    const end = Math.max(history.times[last] ?? 0, begin + (this.isWhole ? 1 : history.stepMillis * 12));
    Object.assign(this, { begin, end, width, height });
    const x = (i: number) => LEFT + ((history.times[i] - begin) / (end - begin)) * (width - LEFT - 8);
    const y = (value: number) => TOP + (1 - value / top) * (height - TOP - BOTTOM);
    const line = (values: number[]) => values.map((v, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)},${y(v).toFixed(1)}`).join("");
    const drawing = svg("svg", {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": last < 0 ? "No figures yet" : `${NAMES[measure]} bytes: now ${bytes(total[last])}, at most ${bytes(Math.max(...total))}`,
    });
    for (let i = 0; i <= ticks; i++) {
      const value = (top / ticks) * i;
      drawing.append(
        svg("line", { class: "grid", x1: LEFT, x2: width, y1: y(value), y2: y(value) }),
        svg("text", { class: "tick", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, bytes(Math.round(value))),
      );
    }
    if (last >= 0) {
      drawing.append(
        svg("path", { class: "total", d: `${line(total)}L${x(last).toFixed(1)},${y(0)}L${x(0).toFixed(1)},${y(0)}Z` }),
        svg("path", { class: "total-line", d: line(total) }),
        ...clock(begin, end, isNarrow ? 2 : 5, width, height),
      );
      shown.forEach(({ path, i }) => drawing.append(svg("path", { class: `series series-${i}`, d: line(path[measure]) })));
    }
    const legend = shown.map(({ path, i }) => {
      const hops = path.hops.split(" > ");
      const place = named(hops[hops.length - 1]);
      const root = hops.length === 1 ? allocatorName(shortName(place), path.memory) : null;
      return el(
        "li",
        { title: isInTransit(place) ? IN_TRANSIT_NOTE : path.hops },
        el("span", { class: `swatch series-${i}`, "aria-hidden": "true" }),
        el("span", { class: "legend-place" }, root ?? shortName(place).replace(RETURN, "")),
        el("span", { class: "legend-figure" }, bytes(path[measure][last] ?? 0) + (root === null ? ` ${path.memory}` : "")),
      );
    });
    // The live page shows it anew every few seconds.
    const hasFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(
      el("h2", { id: "history-title" }, `${NAMES[measure]} bytes by path`),
      this.tools(measure),
      this.draggable(el("div", { class: "plot" }, drawing as unknown as HTMLElement), drawing),
      el("ul", { class: "legend" }, ...legend),
      this.rangeHolder,
    );
    if (hasFocus) {
      this.element.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
    }
  }
}

/** Times below the drawing, at its edges and evenly between. */
function clock(begin: number, end: number, labels: number, width: number, height: number): SVGElement[] {
  return Array.from({ length: labels }, (_, i) => {
    const part = i / (labels - 1);
    const anchor = i === 0 ? "start" : i === labels - 1 ? "end" : "middle";
    return svg("text", { class: "tick", x: LEFT + part * (width - LEFT - 8), y: height - 6, "text-anchor": anchor }, time(begin + part * (end - begin)));
  });
}

function time(millis: number): string {
  return `${new Date(millis).toISOString().slice(11, 19)} UTC`;
}
