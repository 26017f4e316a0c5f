// Which profile is looked at: a kind, and of a kind that is measured in several ways, which of them.
import { el, segmented } from "./dom.ts";
import { grouped, sumOf, telling, usual } from "./kinds.ts";
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
  /** Shown where the address says nothing. */
  private readonly usual: number;
  /** Profiles by kind: one kind may be measured in counts and bytes. */
  private readonly kinds = new Map<string, number[]>();
  private readonly measures = el("div");

  constructor(
    private readonly profiles: ProfileJson[],
    private readonly onSelect: (profile: number) => void,
  ) {
    profiles.forEach((_, i) => {
      const kind = this.kindName(i);
      this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), i]);
    });
    this.usual = usual(profiles);
    this.element = el("div", { class: "controls kinds" }, ...grouped([...this.kinds.keys()]).map(({ name, kinds }) => this.group(name, kinds)), this.measures);
  }

  /** The kinds of one group, each with its total. */
  private group(name: string, kinds: string[]): HTMLElement {
    const choices = kinds.map((kind) => ({ value: kind, label: kind }));
    const buttons = segmented(`Profiles: ${name || "all"}`, choices, "", (kind) => this.selectKind(kind));
    kinds.forEach((kind, i) => {
      const indices = this.kinds.get(kind) as number[];
      const shown = this.profiles[telling(this.profiles, indices)];
      const button = buttons.children[i] as HTMLElement;
      button.append(el("span", { class: "kind-total" }, ` ${valueText(shown, sumOf(shown))}`));
      button.title = indices.map((at) => valueText(this.profiles[at], sumOf(this.profiles[at]))).join(", ");
    });
    return el("div", { class: "kind-group" }, name === "" ? null : el("span", { class: "kind-name", "aria-hidden": "true" }, name), buttons);
  }

  /** Shows what the address says, or the first kind. */
  start(): void {
    onBack("measures", () => this.restore());
    this.restore();
  }

  private restore(): void {
    const [kind, unit] = [stateOf("profile"), stateOf("unit")];
    const usualKind = this.kinds.get(this.kindName(this.usual)) ?? [0];
    const indices = this.kinds.get(kind) ?? usualKind;
    const index = indices.find((i) => this.profiles[i].unit === unit) ?? (indices === usualKind ? this.usual : indices[0]);
    this.kindOf(index);
    this.select(index);
    this.drawMeasures(indices);
  }

  private kindName(index: number): string {
    return this.profiles[index].name || this.profiles[index].type;
  }

  private kindOf(index: number): void {
    const kind = this.kindName(index);
    for (const button of this.element.querySelectorAll<HTMLElement>(".kind-group button")) {
      button.setAttribute("aria-pressed", String(button.dataset.value === kind));
    }
  }

  /** Shows a kind in the unit that was looked at before, if it has it. */
  private selectKind(kind: string): void {
    const indices = this.kinds.get(kind) as number[];
    const unit = this.profiles[this.selected].unit;
    const index = indices.find((i) => this.profiles[i].unit === unit) ?? indices[0];
    this.kindOf(index);
    this.choose(index);
    this.drawMeasures(indices);
  }

  private drawMeasures(indices: number[]): void {
    const choices = indices.map((i) => ({ value: String(i), label: this.label(i, indices) }));
    this.measures.replaceChildren(
      indices.length > 1 ? segmented("Measure", choices, String(this.selected), (i) => this.choose(Number(i))) : "",
    );
  }

  private choose(index: number): void {
    const isFirst = index === this.usual;
    setState({ profile: isFirst ? "" : this.kindName(index), unit: isFirst ? "" : this.profiles[index].unit }, true);
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
