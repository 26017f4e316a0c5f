// The flow view: streams from the allocators through methods to release, leak or life.
import { el, segmented, titledSection } from "./dom.ts";
import type { Measure, Model } from "./model.ts";
import { shortened } from "./paint.ts";
import { onBack, setState, stateOf } from "./state.ts";
import { type End, ENDS, type Station, hopsIn, type Stream, streamsOf } from "./streams.ts";
import { amount, IN_TRANSIT_NOTE, isInTransit, share } from "./words.ts";

/** A value in words, with how it ended. */
type Said = (value: number, end?: string) => string;

/** Of the picture, unless it fits into the window with what stands above and below it. */
const HEIGHT = 420;
const LEAST_HEIGHT = 230;
const MOST_HEIGHT = 560;
const BELOW = 110;
const LABEL = 15;
const BAR = 10;
const CHARACTER = 6.7;
/** What the ends need for their names. */
const LAST = 140;
/** Below this width, the picture scrolls sideways. */
const NARROWEST = 860;
const NAMES: Record<End, string> = { leaked: "leaked", live: "live", released: "released or closed" };

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

export class Sankey {
  readonly element: HTMLElement;
  private readonly holder: HTMLElement;
  private readonly controls = el("div", { class: "controls" });
  private passes: ((path: number) => boolean) | null = null;
  /** 0 until the picture is in the page. */
  private width = 0;

  /** @param onOpen receives the path with the largest share of a clicked stream */
  constructor(
    private readonly model: Model,
    private readonly usual: Measure,
    private readonly onOpen: (path: number) => void,
  ) {
    this.holder = el("div", { class: "sankey", tabindex: "0", role: "group", "aria-label": "Streams; scrolls sideways where the page is narrow" });
    this.element = titledSection(
      "streams",
      "From allocation to release, leak or life",
      { class: "streams", hidden: model.paths.node.length === 0 },
      this.controls,
      this.holder,
    );
    onBack("streams", () => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.holder);
    // A page that is broken says so here, and not when it is drawn.
    void model.paths;
    void model.trie;
  }

  /** Names get the room that the window has. */
  private resize(): void {
    const { paddingLeft, paddingRight } = getComputedStyle(this.holder);
    const inner = this.holder.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const width = Math.max(NARROWEST, inner);
    if (width !== this.width && inner > 0) {
      this.width = width;
      this.draw();
    }
  }

  filter(passes: ((path: number) => boolean) | null): void {
    this.passes = passes;
    this.draw();
  }

  private get height(): number {
    const room = innerHeight - BELOW - (this.holder.getBoundingClientRect().top + scrollY);
    // With little room the picture is low, so that some of it is in view; where it begins below the window it need not be.
    return this.holder.isConnected && room > 0 ? Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, room)) : HEIGHT;
  }

  private get measure(): Measure {
    const chosen = stateOf("streams");
    return chosen === "bytes" || chosen === "count" ? chosen : this.usual;
  }

  private draw(): void {
    if (this.width === 0) {
      return;
    }
    const { measure } = this;
    const choices = [
      { value: "bytes", label: "Bytes" },
      { value: "count", label: "Count" },
    ] as const;
    this.controls.replaceChildren(
      segmented<Measure>("Width of streams", choices, measure, (chosen) => {
        setState({ streams: chosen === this.usual ? "" : chosen }, true);
        this.draw();
      }),
    );
    const { width } = this;
    const { columns, stations, streams } = streamsOf(this.model, measure, this.height, hopsIn(width - LAST), this.passes ?? (() => true));
    const step = (width - LAST) / Math.max(1, columns - 1);
    const high = Math.max(60, ...stations.map((station) => station.y + station.height)) + LABEL;
    const whole = stations.filter(({ end }) => end !== "").reduce((sum, { value }) => sum + value, 0);
    const all = this.passes === null ? "all" : "what matches";
    const said = (value: number, end = "") => `${amount(value, measure)} ${end}`.trimEnd() + `, ${share(value, whole)} of ${all}`;
    const x = (station: Station) => station.column * step;
    this.holder.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${width} ${high}`, "aria-hidden": "true" },
        ...streams.sort((a, b) => ENDS.indexOf(b.end) - ENDS.indexOf(a.end)).map((stream) => this.stream(stream, stations, x, said)),
        ...stations.map((station) => this.station(station, x(station), step, said)),
      ),
    );
    this.holder.append(this.told(stations, streams, said));
  }

  private stream(stream: Stream, stations: Station[], x: (station: Station) => number, said: Said): SVGElement {
    const from = stations[stream.from];
    const to = stations[stream.to];
    const [x0, x1] = [x(from) + BAR, x(to)];
    const middle = (x0 + x1) / 2;
    const [y0, y1] = [stream.y0 + LABEL, stream.y1 + LABEL];
    const h = stream.height;
    const d = `M${x0},${y0}C${middle},${y0} ${middle},${y1} ${x1},${y1}V${y1 + h}C${middle},${y1 + h} ${middle},${y0 + h} ${x0},${y0 + h}Z`;
    const path = svg("path", { class: `stream ${stream.end}`, d }, svg("title", {}, `${from.name} to ${to.name}: ${said(stream.value, NAMES[stream.end])}`));
    path.addEventListener("click", () => this.onOpen(stream.path));
    return path;
  }

  private station(station: Station, x: number, step: number, said: Said): SVGElement {
    const name = station.end === "" ? station.name : NAMES[station.end];
    const text = station.end === "" ? shortened(name, Math.floor((step - 8) / CHARACTER)) : name;
    return svg(
      "g",
      {},
      svg("rect", { class: `station ${station.end}`, x, y: station.y + LABEL, width: BAR, height: station.height }),
      svg("text", { x, y: station.y + LABEL - 4 }, text),
      svg("title", {}, `${name}: ${said(station.value)}${isInTransit(name) ? `. ${IN_TRANSIT_NOTE}` : ""}`),
    );
  }

  /** The same for those who do not see it: where flows leak or live, as buttons that open the path. */
  private told(stations: Station[], streams: Stream[], said: Said): HTMLElement {
    const ends = streams.filter((stream) => stations[stream.to].end !== "" && stream.end !== "released").sort((a, b) => b.value - a.value);
    return el(
      "ul",
      { class: "stream-ends" },
      ...ends.slice(0, 8).map((stream) =>
        el("li", {}, el("button", { type: "button", class: `plain ${stream.end}`, click: () => this.onOpen(stream.path) }, `${stations[stream.from].name}: ${said(stream.value, stream.end)}`)),
      ),
    );
  }
}
