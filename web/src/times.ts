// The heatmap of a recording's page, its threads and its traces: the views that filters are chosen in.
import { el } from "./dom.ts";
import type { Aside, Filter } from "./filter.ts";
import { Heatmap } from "./heatmap.ts";
import { valueText } from "./measures.ts";
import { NameList, type NameWords } from "./namelist.ts";
import type { ProfileJson } from "./pagejson.ts";
import type { AllSamples, SampleRows } from "./samples.ts";
import { setState, stateOf } from "./state.ts";

/** A window that shows the heatmap with the graph below it. */
const ROOMY = "(min-width: 1000px) and (min-height: 700px)";

export class HeatmapSection {
  /** Empty if the page has no times and none were asked for. */
  readonly elements: HTMLElement[];
  private readonly heatmap: Heatmap;
  private readonly open: boolean;
  private readonly section: HTMLDetailsElement;
  private profile: ProfileJson | null = null;

  /**
   * @param isAskedFor whether the heatmap is shown from the beginning in any window, if only to say that there is none
   * @param onChange called after the filter has changed
   */
  constructor(
    private readonly filter: Filter,
    private readonly samples: AllSamples,
    isAskedFor: boolean,
    onChange: () => void,
  ) {
    this.heatmap = new Heatmap(samples.start, (range) => {
      filter.choose(range);
      onChange();
    });
    this.open = isAskedFor || matchMedia(ROOMY).matches;
    const wanted = stateOf("heatmap");
    this.section = el(
      "details",
      { class: "facts heat-section", open: wanted === "" ? this.open : wanted === "open", toggle: () => this.toggled() },
      el("summary", {}, "Heatmap: when samples were taken"),
      samples.hasTimes ? this.heatmap.element : el("p", { class: "heat-detail" }, "This file has no times of samples, so there is no heatmap."),
    );
    this.elements = samples.hasTimes || isAskedFor ? [this.section] : [];
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

/** What each sample has one of: which there are, which of them a row has, and which are chosen. */
interface Property {
  words: NameWords;
  aside: Aside;
  names: string[];
  numbers: (rows: SampleRows) => Int32Array;
  chosen: () => ReadonlySet<string>;
  choose: (names: ReadonlySet<string>) => void;
}

/** A list to choose some threads or traces from. */
export class ListSection {
  /** None where there is nothing to choose from. */
  readonly elements: HTMLElement[];
  private readonly list: NameList;

  private constructor(
    private readonly filter: Filter,
    private readonly samples: AllSamples,
    private readonly property: Property,
    onChange: () => void,
  ) {
    this.list = new NameList(property.words, (names) => {
      property.choose(names);
      onChange();
    });
    this.elements = property.names.length > 1 ? [this.list.element] : [];
  }

  /** @param onChange called after the filter has changed */
  static ofThreads(filter: Filter, samples: AllSamples, onChange: () => void): ListSection {
    const words = { title: "Threads", one: "thread" };
    const choose = (names: ReadonlySet<string>) => filter.chooseThreads(names);
    return new ListSection(filter, samples, { words, aside: "threads", names: samples.threads, numbers: (rows) => rows.thread, chosen: () => filter.threads, choose }, onChange);
  }

  /** @param onChange called after the filter has changed */
  static ofTraces(filter: Filter, samples: AllSamples, onChange: () => void): ListSection {
    const words = { title: "Traces", one: "trace" };
    const choose = (names: ReadonlySet<string>) => filter.chooseTraces(names);
    return new ListSection(filter, samples, { words, aside: "traces", names: samples.traces, numbers: (rows) => rows.trace, chosen: () => filter.traces, choose }, onChange);
  }

  show(profile: ProfileJson): void {
    if (this.elements.length === 0) {
      return;
    }
    const { samples, filter, property } = this;
    const rows = samples.of(profile);
    const sums = new Float64Array(property.names.length);
    if (rows) {
      const values = samples.values(profile);
      const numbers = property.numbers(rows);
      filter.each(rows, property.aside, (row) => (sums[numbers[row]] += values[row]));
    }
    this.list.element.hidden = rows === null;
    this.list.show(property.names.map((name, number) => ({ name, value: sums[number] })), property.chosen(), profile.unit);
  }
}
