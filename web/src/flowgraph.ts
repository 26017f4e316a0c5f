// The flame graph of flow paths, by what became of the flows.
import { el, segmented, titledSection } from "./dom.ts";
import { Flame } from "./flame.ts";
import { totalsOf } from "./headline.ts";
import { type Measure, type Model, STATES, type State } from "./model.ts";
import { onBack, setState, stateOf } from "./state.ts";

/** What is looked at first: what leaks, or else what lives. */
export function usualLook(model: Model): { state: State; measure: Measure } {
  const { leaked, live, leakedBytes, liveBytes } = totalsOf(model);
  const state = leaked > 0 ? "leaked" : live > 0 ? "live" : "allocated";
  const shown = state === "leaked" ? leakedBytes : state === "live" ? liveBytes : 1;
  return { state, measure: shown > 0 ? "bytes" : "count" };
}

/** The initial measure of streams: the one that makes a leak widest, since a few large buffers may dwarf it in bytes. */
export function usualWidth(model: Model): Measure {
  const { leaked, leakedBytes, live, liveBytes, released, releasedBytes } = totalsOf(model);
  if (leaked === 0) {
    return usualLook(model).measure;
  }
  return leaked / (leaked + live + released) > leakedBytes / Math.max(1, leakedBytes + liveBytes + releasedBytes) ? "count" : "bytes";
}

export class FlowGraph {
  readonly element: HTMLElement;
  readonly flame: Flame;
  private readonly usual: { state: State; measure: Measure };
  private readonly controls = el("div", { class: "controls" });
  private state: State = "allocated";
  private measure: Measure = "bytes";

  constructor(private readonly model: Model) {
    this.usual = usualLook(model);
    this.read();
    this.flame = new Flame(model, this.series, "all flows");
    this.drawControls();
    onBack("flows", () => {
      this.read();
      this.drawControls();
      this.flame.show(this.series);
    });
    this.element = titledSection(
      "flame",
      "Flame graph of flow paths",
      { id: "flame-section" },
      this.controls,
      this.flame.element,
    );
  }

  zoomTo(node: number, state: State): void {
    const measure = this.model.flowSeries(state, this.measure).at(node) === 0 ? "count" : this.measure;
    this.look(state, measure, false);
    this.drawControls();
    this.flame.zoomTo(node);
    this.element.scrollIntoView();
  }

  /** What the address says, or what is usual for such a snapshot. */
  private read(): void {
    const state = stateOf("flows");
    const measure = stateOf("measure");
    this.state = STATES.find((one) => one === state) ?? this.usual.state;
    this.measure = measure === "bytes" || measure === "count" ? measure : this.usual.measure;
  }

  private look(state: State, measure: Measure, step: boolean): void {
    this.state = state;
    this.measure = measure;
    const changed = state !== this.usual.state || measure !== this.usual.measure;
    setState({ flows: changed ? state : "", measure: changed ? measure : "" }, step);
    this.flame.show(this.series);
  }

  private drawControls(): void {
    const dropped = this.model.dropped.some((flows) => flows > 0);
    const states = STATES.filter((value) => value !== "dropped" || dropped).map((value) => ({ value, label: value[0].toUpperCase() + value.slice(1) }));
    const measures = [
      { value: "bytes", label: "Bytes" },
      { value: "count", label: "Count" },
    ] as const;
    this.controls.replaceChildren(
      segmented("What became of the flows", states, this.state, (state) => this.look(state, this.measure, true)),
      segmented<Measure>("Measure", measures, this.measure, (measure) => this.look(this.state, measure, true)),
    );
  }

  private get series() {
    return this.model.flowSeries(this.state, this.measure);
  }
}
