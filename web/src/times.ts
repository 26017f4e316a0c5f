// The heatmap of a recording's page and its threads: the views that filters are chosen in.
import { el } from "./dom.ts";
import type { Filter } from "./filter.ts";
import { Heatmap } from "./heatmap.ts";
import { valueText } from "./measures.ts";
import type { ProfileJson } from "./pagejson.ts";
import type { AllSamples, SampleRows } from "./samples.ts";
import { setState, stateOf } from "./state.ts";
import { Threads } from "./threads.ts";

export class Times {
  private readonly heatmap: Heatmap;
  private readonly threads: Threads;
  private readonly heatmapSection: HTMLDetailsElement;
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
    this.threads = new Threads((names) => {
      filter.chooseThreads(names);
      onChange();
    });
    const wanted = stateOf("heatmap");
    this.heatmapSection = el(
      "details",
      { class: "facts heat-section", open: wanted === "" ? open : wanted === "open", toggle: () => this.toggled() },
      el("summary", {}, "Heatmap: when samples were taken"),
      samples.hasTimes ? this.heatmap.element : el("p", { class: "heat-detail" }, "This file has no times of samples, so there is no heatmap."),
    );
  }

  /** Those for which the page has what they need. */
  sections(): HTMLElement[] {
    return [
      ...(this.samples.hasTimes || this.open ? [this.heatmapSection] : []),
      ...(this.samples.threads.length > 1 ? [this.threads.element] : []),
    ];
  }

  private toggled(): void {
    const { open } = this.heatmapSection;
    setState({ heatmap: open === this.open ? "" : open ? "open" : "closed" }, false);
    this.showHeatmap();
  }

  show(profile: ProfileJson): void {
    this.profile = profile;
    this.showHeatmap();
    this.showThreads();
  }

  private get rows(): SampleRows | null {
    return this.profile && this.samples.of(this.profile);
  }

  private showHeatmap(): void {
    const { rows, profile, samples, filter } = this;
    if (!this.heatmapSection.open || !profile) {
      return;
    }
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

  private showThreads(): void {
    const { rows, profile, samples, filter } = this;
    const sums = new Float64Array(samples.threads.length);
    if (rows && profile) {
      const values = samples.values(profile);
      filter.each(rows, "threads", (row) => (sums[rows.thread[row]] += values[row]));
    }
    this.threads.element.hidden = rows === null;
    this.threads.show(samples.threads.map((name, thread) => ({ name, value: sums[thread] })), filter.threads, profile?.unit ?? "");
  }
}
