// Which profile is looked at: a kind, and of a kind that is measured in several ways, which of them.
import { el, segmented } from "./dom.ts";
import type { ProfileJson } from "./pagejson.ts";
import { onBack, setState, stateOf } from "./state.ts";
import { amount, plural } from "./words.ts";

/** A value with what it counts. */
export function valueText({ type, unit }: ProfileJson, value: number): string {
  return unit === "count" ? plural(value, /objects/.test(type) ? "object" : "sample") : amount(value, unit);
}

export class MeasureChooser {
  readonly element: HTMLElement;
  private selected = 0;
  /** Profiles by kind: one kind may be measured in counts and bytes. */
  private readonly kinds = new Map<string, number[]>();
  private readonly measures = el("div");

  constructor(
    private readonly profiles: ProfileJson[],
    private readonly onSelect: (profile: number) => void,
  ) {
    profiles.forEach((profile, i) => {
      const kind = profile.name || profile.type;
      this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), i]);
    });
    const choices = [...this.kinds.keys()].map((kind) => ({ value: kind, label: kind }));
    this.element = el(
      "div",
      { class: "controls kinds" },
      segmented("Profile", choices, choices[0].value, (kind) => this.selectKind(kind)),
      this.measures,
    );
  }

  /** Shows what the address says, or the first kind. */
  start(): void {
    onBack("measures", () => this.restore());
    this.restore();
  }

  private restore(): void {
    const [kind, unit] = [stateOf("profile"), stateOf("unit")];
    const indices = this.kinds.get(kind) ?? this.kinds.values().next().value ?? [0];
    const index = indices.find((i) => this.profiles[i].unit === unit) ?? indices[0];
    this.kindOf(index);
    this.select(index);
    this.drawMeasures(indices);
  }

  private kindOf(index: number): void {
    const kind = this.profiles[index].name || this.profiles[index].type;
    for (const button of this.element.querySelectorAll<HTMLElement>("[aria-label=Profile] button")) {
      button.setAttribute("aria-pressed", String(button.dataset.value === kind));
    }
  }

  /** Shows a kind in the unit that was looked at before, if it has it. */
  private selectKind(kind: string): void {
    const indices = this.kinds.get(kind) as number[];
    const unit = this.profiles[this.selected].unit;
    this.choose(indices.find((i) => this.profiles[i].unit === unit) ?? indices[0]);
    this.drawMeasures(indices);
  }

  private drawMeasures(indices: number[]): void {
    const choices = indices.map((i) => ({ value: String(i), label: this.label(i, indices) }));
    this.measures.replaceChildren(
      indices.length > 1 ? segmented("Measure", choices, String(this.selected), (i) => this.choose(Number(i))) : "",
    );
  }

  private choose(index: number): void {
    const isFirst = index === 0;
    setState({ profile: isFirst ? "" : this.profiles[index].name || this.profiles[index].type, unit: isFirst ? "" : this.profiles[index].unit }, true);
    this.select(index);
  }

  private select(index: number): void {
    this.selected = index;
    this.onSelect(index);
  }

  private label(index: number, indices: number[]): string {
    const { type, unit } = this.profiles[index];
    const alone = indices.filter((i) => this.profiles[i].unit === unit).length === 1;
    const label = unit === "nanoseconds" ? "time" : unit;
    return alone && label !== "" ? label[0].toUpperCase() + label.slice(1) : type;
  }
}
