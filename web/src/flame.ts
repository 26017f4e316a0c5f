// A flame graph with all that is done with one: ways to look at it, colours, a line that says what is under the pointer.
import { type Choice, el, onWindow, segmented } from "./dom.ts";
import { FlameState, type Way } from "./flamestate.ts";
import { Graph, type Host } from "./graph.ts";
import { isTyping } from "./help.ts";
import { type Box, EVERYTHING, type Focus } from "./layout.ts";
import { legend } from "./legend.ts";
import { type MenuItem, openMenu } from "./menu.ts";
import { Minimap } from "./minimap.ts";
import type { Matches, Model, Series } from "./model.ts";
import { type ColourBy, Palette, type Shading, Theme } from "./palette.ts";
import { Projection, UNCHANGED } from "./projection.ts";
import { openSource, sourceOf } from "./source.ts";
import { onBack } from "./state.ts";
import { BottomUp, TopDown, type View } from "./view.ts";
import { amount, IN_TRANSIT_NOTE, isInTransit, plural, share, shortName } from "./words.ts";
import { zoomOf, zoomText } from "./zoom.ts";

const WAYS: readonly Choice<Way>[] = [
  { value: "down", label: "Top down" },
  { value: "up", label: "Bottom up" },
];
const COLOURS: Record<ColourBy, string> = { change: "Change", package: "Package", type: "Frame type", memory: "Memory" };

export class Flame implements Host {
  readonly element: HTMLElement;
  private readonly state: FlameState;
  private readonly callers: Graph;
  private readonly graph: Graph;
  private readonly map = new Minimap((focus) => this.zoom(this.graph, focus));
  private readonly colours: ColourBy[];
  private readonly tools = el("div", { class: "controls flame-tools" });
  private readonly crumbs = el("p", { class: "flame-crumbs" });
  private readonly legend = el("ul", { class: "key", "aria-label": "Colours" });
  private readonly note = el("p", { class: "flame-note" });
  private readonly detail = el("p", { class: "flame-detail", "aria-live": "polite" });
  private readonly parts: [HTMLElement, HTMLElement];
  private readonly projections = new Map<string, Projection>();
  private matches: Matches | null = null;
  private found: number[] | null = null;
  private step = -1;
  private views: { callers: View | null; main: View } | null = null;
  private palette: Palette | null = null;
  /** What a function has in all of its frames, by name; empty where nobody says it. */
  totals: ReadonlyMap<string, number> = new Map();
  /** What all samples or flows have, where some are left out as well. */
  private whole: number;

  constructor(
    private readonly model: Model,
    private series: Series,
    private readonly everything: string,
    private readonly shading: Shading | null = null,
  ) {
    this.whole = series.sum;
    this.colours = [
      ...(shading ? (["change"] as const) : []),
      "package" as const,
      ...(model.hasTypes ? (["type"] as const) : []),
      ...(model.json.kind === "flows" ? (["memory"] as const) : []),
    ];
    this.state = new FlameState(model, this.colours);
    this.callers = new Graph(this, "Callers", true);
    this.graph = new Graph(this, "Flame graph", false);
    this.parts = [el("h3", {}, "Callers"), el("h3", {}, "Callees")];
    const actions = el("button", { type: "button", class: "flame-actions", "aria-haspopup": "menu", click: (event) => this.menuOfChosen(event.currentTarget as HTMLElement) }, "Frame…");
    this.element = el(
      "div",
      { class: "flame-view" },
      this.tools,
      this.legend,
      this.crumbs,
      this.parts[0],
      this.callers.element,
      this.parts[1],
      this.map.element,
      this.graph.element,
      this.note,
      el("div", { class: "flame-bar" }, this.detail, actions),
    );
    onWindow("themechange", "flame", () => this.recolour());
    onWindow("beforeprint", "legend", () => this.palette && this.explain(this.palette.printed()));
    onWindow("afterprint", "legend", () => this.palette && this.explain(this.palette));
    onWindow("keydown", "whole graph", (event) => this.key(event as KeyboardEvent));
    onBack("flame", () => this.restore());
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "0" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) {
      this.showWhole();
    }
  }

  private showWhole(): void {
    if (this.views?.callers) {
      this.zoom(this.callers, EVERYTHING);
    }
    this.zoom(this.graph, EVERYTHING);
  }

  /** @param whole what the series would have if nothing was left out */
  show(series: Series, whole = series.sum): void {
    this.series = series;
    this.whole = whole;
    this.views = null;
    this.draw();
  }

  highlight(matches: Matches | null): void {
    this.matches = matches;
    this.found = null;
    this.step = -1;
    this.drawGraphs();
  }

  /** Zooms to a node of the page's stacks, as they are. */
  zoomTo(node: number): void {
    this.state.asIs();
    this.views = null;
    this.prepare();
    this.state.zoom(zoomText(this.model, this.views!.main, { node, from: 0, to: 0 }), "");
    this.draw();
  }

  private restore(): void {
    this.state.read();
    this.views = null;
    this.draw();
  }

  private draw(): void {
    this.prepare();
    this.drawTools();
    this.drawGraphs();
    this.recolour();
  }

  private prepare(): void {
    if (this.views !== null) {
      return;
    }
    const { state, model, series } = this;
    const all = [series, ...(this.shading?.sides() ?? [])];
    const base = this.projection(state.key, () => state.change);
    const { fn } = state;
    this.found = null;
    this.step = -1;
    if (state.way === "calls" && fn >= 0) {
      const callers = BottomUp.callers(base, all, model.nameOf, fn);
      const callees = this.projection(`${state.key}/${fn}`, () => ({ ...UNCHANGED, recursion: state.change.recursion, root: fn }), base);
      const over = all.map((one) => base.series(one));
      this.views = { callers, main: new TopDown(callees, over) };
    } else {
      this.views = { callers: null, main: state.way === "up" ? BottomUp.of(base, all) : new TopDown(base, all) };
    }
  }

  private projection(key: string, change: () => typeof UNCHANGED, of?: Projection): Projection {
    let projection = this.projections.get(key);
    if (!projection) {
      projection = key === "" ? Projection.of(this.model.trie) : Projection.changed(of?.trie ?? this.model.trie, this.model.nameOf, change());
      this.projections.set(key, projection);
    }
    return projection;
  }

  private drawTools(): void {
    const { state } = this;
    const ways = state.way === "calls" ? [...WAYS, { value: "calls" as const, label: "Callers and callees" }] : WAYS;
    const recursion = el("button", { type: "button", "aria-pressed": String(state.change.recursion), title: "Calls of a function by itself count as one", click: () => this.change(() => state.toggleRecursion()) }, "Merge recursion");
    const colours = this.colours.map((value) => ({ value, label: COLOURS[value] }));
    this.tools.replaceChildren(
      segmented<Way>("Stacks", ways, state.way, (way) => this.change(() => state.look(way))),
      recursion,
      ...(colours.length > 1
        ? [el("span", { class: "labelled" }, "Colour", segmented<ColourBy>("Colour", colours, state.colour, (colour) => this.change(() => state.colourBy(colour))))]
        : []),
    );
  }

  private change(how: () => void): void {
    how();
    this.views = null;
    this.draw();
  }

  private recolour(): void {
    this.palette = new Palette(this.model, this.state.colour, this.shading, new Theme(false));
    this.drawGraphs();
    this.explain(this.palette);
  }

  /** On paper, the colours are those of paper. */
  private explain(palette: Palette): void {
    if (this.views) {
      this.legend.replaceChildren(...legend(palette.legend(this.views.main)));
      this.legend.hidden = this.legend.childElementCount === 0;
    }
  }

  private drawGraphs(): void {
    if (!this.views || !this.palette) {
      return;
    }
    const { callers, main } = this.views;
    const searching = this.matches !== null;
    for (const part of [this.parts[0], this.parts[1], this.callers.element]) {
      part.hidden = callers === null;
    }
    if (callers) {
      this.callers.show(callers, this.palette, this.focused(callers, this.state.callersZoom), searching);
    }
    this.graph.show(main, this.palette, this.focused(main, this.state.mainZoom), searching);
    this.drawMap();
    this.drawCrumbs();
    const isCut = this.graph.isCut || (callers !== null && this.callers.isCut);
    this.note.textContent = isCut ? "Deeper frames are not drawn at this zoom; zoom into a frame to see them." : "";
    this.note.hidden = !isCut;
  }

  private drawMap(): void {
    if (this.views && this.palette) {
      this.map.show(this.views.main, this.palette, this.graph.focus, this.graph.element.clientWidth);
    }
  }

  private focused(view: View, text: string): Focus {
    return text === "" ? EVERYTHING : zoomOf(this.model, view, text);
  }

  private drawCrumbs(): void {
    const { state, model } = this;
    const chip = (label: string, name: string, undo: () => void) =>
      el("button", { type: "button", class: "chip", title: name, "aria-label": `${label} ${name}: undo`, click: undo }, `${label} `, el("strong", {}, name), " ×");
    const chips: HTMLElement[] = [];
    if (state.change.only >= 0) {
      chips.push(chip("Only through", shortName(model.json.names[state.change.only]), () => this.change(() => state.onlyThrough(-1))));
    }
    for (const name of state.change.hidden) {
      chips.push(chip("Hidden:", shortName(model.json.names[name]), () => this.change(() => state.hide(name, false))));
    }
    if (state.way === "calls") {
      chips.push(chip("Calls of", shortName(model.json.names[state.fn]), () => this.change(() => state.look("down"))));
    }
    for (const graph of [this.callers, this.graph]) {
      const { node, to, from } = graph.focus;
      if (!graph.element.hidden && (node >= 0 || to > 0)) {
        const view = graph === this.graph ? this.views!.main : (this.views!.callers as View);
        const what = `${to > 0 ? `${plural(to - from, "narrow frame")} below ` : ""}${node < 0 ? this.everything : model.shortPlaceOf(view.frame(node))}`;
        chips.push(el("span", {}, "Zoomed to ", el("strong", {}, what), " ", el("button", { type: "button", class: "plain", click: () => this.zoom(graph, EVERYTHING) }, "Show all")));
      }
    }
    this.crumbs.hidden = chips.length === 0;
    this.crumbs.replaceChildren(...chips);
  }

  // What a graph asks.

  zoom(graph: Graph, focus: Focus): void {
    const { callers, main } = this.views!;
    const view = graph === this.graph ? main : (callers as View);
    const text = zoomText(this.model, view, focus);
    this.state.zoom(graph === this.graph ? text : this.state.mainZoom, graph === this.graph ? this.state.callersZoom : text);
    graph.show(view, this.palette as Palette, focus, this.matches !== null);
    this.drawMap();
    this.drawCrumbs();
  }

  name(view: View, box: Box): string {
    if (box.folded > 0) {
      return plural(box.folded, "narrow frame");
    }
    if (box.node < 0) {
      return this.top;
    }
    return (this.shading?.mark(view, box.node) ?? "") + this.model.shortPlaceOf(view.frame(box.node));
  }

  private get top(): string {
    return this.state.way === "calls" ? this.model.json.names[this.state.fn] : this.everything;
  }

  sentence(view: View, box: Box): string {
    const { unit } = view;
    const sum = view.total(-1);
    if (box.folded > 0) {
      return `${plural(box.folded, "narrow frame")}: ${amount(box.value, unit)}, ${this.shares(box.value, sum)}; click to see them alone`;
    }
    const name = box.node < 0 ? this.top : this.model.placeOf(view.frame(box.node));
    if (this.shading) {
      return `${name}: ${this.shading.words(view, box.node)}`;
    }
    const origin = box.node < 0 ? -1 : view.origin(box.node);
    const refs = origin < 0 ? "" : this.model.refs(origin);
    const value = view.total(box.node);
    const self = box.node < 0 ? 0 : view.self(box.node);
    return (
      `${name}: ${amount(value, unit)}, ${this.shares(value, sum)}` +
      (self > 0 && self < value ? `, ${amount(self, unit)} in itself` : "") +
      this.everywhere(view, box, value) +
      (refs ? `, reference count ${refs}` : "") +
      (isInTransit(name) ? `. ${IN_TRANSIT_NOTE}` : "")
    );
  }

  /** What the function has in all of its frames, where this is but one of them. */
  private everywhere(view: View, box: Box, value: number): string {
    const total = box.node < 0 ? 0 : (this.totals.get(this.model.frameName(view.frame(box.node))) ?? 0);
    return total > value ? `; in all its frames ${amount(total, view.unit)}, ${share(total, this.whole)} of all` : "";
  }

  /** How much a value is of what is shown, and of all where that is more. */
  private shares(value: number, shown: number): string {
    const all = `${share(value, this.whole)} of all${this.model.json.kind === "flows" ? ` ${this.series.name}` : ""}`;
    return shown === this.whole ? all : `${share(value, shown)} of what is shown, ${all}`;
  }

  isHit(view: View, box: Box): boolean {
    return this.matches !== null && box.node >= 0 && box.folded === 0 && this.matches.frames[view.frame(box.node)] === 1;
  }

  describe(graph: Graph, box: Box | undefined): void {
    const view = graph === this.graph ? this.views?.main : this.views?.callers;
    this.detail.textContent = box && view ? this.sentence(view, box) : "";
  }

  menu(graph: Graph, box: Box, x: number, y: number): void {
    const view = graph === this.graph ? this.views!.main : (this.views!.callers as View);
    const items: MenuItem[] = [{ label: box.folded > 0 ? "Show these alone" : "Zoom to it", act: () => this.zoom(graph, { node: box.node, from: box.from, to: box.folded > 0 ? box.from + box.folded : 0 }) }];
    if (box.folded === 0 && box.node >= 0) {
      const name = this.model.nameOf[view.frame(box.node)];
      const { state } = this;
      const source = sourceOf(this.model, view.frame(box.node));
      items.push(
        { label: "Callers and callees", act: () => this.change(() => state.callsOf(name)) },
        { label: "Only stacks through it", act: () => this.change(() => state.onlyThrough(name)) },
        { label: "Hide it", act: () => this.change(() => state.hide(name, true)) },
        ...(source === "" ? [] : [{ label: "Open its source", act: () => openSource(source) }]),
        { label: "Copy its name", act: () => void navigator.clipboard?.writeText(this.model.json.names[name]) },
      );
    }
    openMenu("Frame", items, x, y, graph.element);
  }

  private menuOfChosen(button: HTMLElement): void {
    const box = this.graph.chosen;
    if (box) {
      const { left, top } = button.getBoundingClientRect();
      this.menu(this.graph, box, left, top);
    }
  }

  /** Shows the callers and callees of a function. */
  callsOf(name: string): void {
    const index = this.model.json.names.indexOf(name);
    if (index >= 0) {
      this.change(() => this.state.callsOf(index));
      this.element.scrollIntoView();
    }
  }

  /** Goes to the next match of the search, or to the one before; the largest is the first. */
  goTo(step: 1 | -1): string {
    const matching = this.matching();
    if (matching.length === 0) {
      return "";
    }
    this.step = (this.step + step + matching.length + (this.step < 0 && step < 0 ? 1 : 0)) % matching.length;
    const node = matching[this.step];
    const view = this.views!.main;
    const isThere = () => this.graph.choose(node);
    if (!isThere()) {
      this.zoom(this.graph, { node: view.parent(node), from: 0, to: 0 });
      if (!isThere()) {
        this.zoom(this.graph, { node, from: 0, to: 0 });
        isThere();
      }
    }
    return `${this.step + 1} of ${matching.length}`;
  }

  /** How many frames match. */
  countText(): string {
    return plural(this.matching().length, "match", "matches");
  }

  private matching(): number[] {
    const { matches, views } = this;
    if (!matches || !views) {
      return [];
    }
    if (this.found === null) {
      const { main } = views;
      const all = main.size === null ? this.graph.boxes.filter((box) => box.node >= 0 && box.folded === 0).map((box) => box.node) : Array.from({ length: main.size }, (_, node) => node);
      this.found = all.filter((node) => matches.frames[main.frame(node)] === 1 && main.total(node) > 0).sort((a, b) => main.total(b) - main.total(a) || a - b);
    }
    return this.found;
  }
}
