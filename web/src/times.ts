// The heatmap of a recording's page and its threads: the views that filters are chosen in.
import { el } from "./dom.ts";
import type { Filter } from "./filter.ts";
import { Heatmap } from "./heatmap.ts";
import { valueText } from "./measures.ts";
import type { ProfileJson } from "./pagejson.ts";
import type { AllSamples } from "./samples.ts";
import { setState, stateOf } from "./state.ts";
import { Threads } from "./namelist.ts";

export class HeatmapSection {
  /** None where the page has no times and none were asked for. */
  readonly elements: HTMLElement[];
  private readonly heatmap: Heatmap;
  private readonly section: HTMLDetailsElement;
  private profile: ProfileJson | null = null;

  /**
   * @param open whether the heatmap is shown from the beginning
   * @param onChange after the filter has changed
   */
  constructor(
    private readonly filter: Filter,
    private readonly samples: AllSamples,
    private readonly open: boolean,
    onChange: () => void,
  ) {
    this.heatmap = new Heatmap(samples.start, (range) => {
      filter.choose(range);
      onChange();
    });
    const wanted = stateOf("heatmap");
    this.section = el(
      "details",
      { class: "facts heat-section", open: wanted === "" ? open : wanted === "open", toggle: () => this.toggled() },
      el("summary", {}, "Heatmap: when samples were taken"),
      samples.hasTimes ? this.heatmap.element : el("p", { class: "heat-detail" }, "This file has no times of samples, so there is no heatmap."),
    );
    this.elements = samples.hasTimes || open ? [this.section] : [];
  }

  private toggled(): void {
    const { open } = this.section;
    setState({ heatmap: open === this.open ? "" : open ? "open" : "closed" }, false);
    this.draw();
  }

  show(profile: ProfileJson): void {
    this.profile = profile;
    this.draw();
  }

  private draw(): void {
    const { profile, samples, filter } = this;
    if (!this.section.open || !profile) {
      return;
    }
    const rows = samples.of(profile);
    const values = rows && samples.values(profile);
    this.heatmap.show(
      {
        words: (value) => valueText(profile, value),
        length: samples.length,
        grain: rows?.grain ?? 0,
        each: (visit) => rows && values && filter.each(rows, "time", (row) => visit(rows.time[row], values[row])),
      },
      filter.range,
    );
  }
}

export class ThreadsSection {
  /** None where there is nothing to choose from. */
  readonly elements: HTMLElement[];
  private readonly threads: Threads;

  /** @param onChange after the filter has changed */
  constructor(
    private readonly filter: Filter,
    private readonly samples: AllSamples,
    onChange: () => void,
  ) {
    this.threads = new Threads((names) => {
      filter.chooseThreads(names);
      onChange();
    });
    this.elements = samples.threads.length > 1 ? [this.threads.element] : [];
  }

  show(profile: ProfileJson): void {
    if (this.elements.length === 0) {
      return;
    }
    const { samples, filter } = this;
    const rows = samples.of(profile);
    const sums = new Float64Array(samples.threads.length);
    if (rows) {
      const values = samples.values(profile);
      filter.each(rows, "threads", (row) => (sums[rows.thread[row]] += values[row]));
    }
    this.threads.element.hidden = rows === null;
    this.threads.show(samples.threads.map((name, thread) => ({ name, value: sums[thread] })), filter.threads, profile.unit);
  }
}
