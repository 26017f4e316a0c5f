// The threads or the traces of a recording, to choose some of them.
import { el } from "./dom.ts";
import { matcher } from "./matcher.ts";
import { amount, count, plural, share } from "./words.ts";

const MOST_SHOWN = 100;

export interface NamedValue {
  name: string;
  value: number;
}

/** What is listed: many of them as a title, and one of them. */
export interface NameWords {
  title: string;
  one: string;
}

export class NameList {
  readonly element: HTMLDetailsElement;
  private readonly summary = el("summary", {});
  private readonly list = el("ul", { class: "thread-list" });
  private readonly more = el("p", { class: "table-summary" });
  private readonly input: HTMLInputElement;
  private all: NamedValue[] = [];
  private chosen: ReadonlySet<string> = new Set();
  private unit = "";

  /** @param onChoose gets the names of those that are left; none for all */
  constructor(
    private readonly words: NameWords,
    private readonly onChoose: (names: ReadonlySet<string>) => void,
  ) {
    this.input = el("input", { type: "search", placeholder: "Name, or a regular expression", "aria-label": `${words.title} by name`, autocomplete: "off", spellcheck: "false", input: () => this.draw() });
    const button = (text: string, act: () => void) => el("button", { type: "button", click: act }, text);
    this.element = el(
      "details",
      { class: "facts thread-filter" },
      this.summary,
      el(
        "div",
        { class: "controls" },
        this.input,
        button("Choose these", () => this.onChoose(new Set(this.listed().map(({ name }) => name)))),
        button(`All ${words.one}s`, () => this.onChoose(new Set())),
      ),
      this.list,
      this.more,
    );
  }

  /** @param all with what each has, those that are left out too */
  show(all: NamedValue[], chosen: ReadonlySet<string>, unit: string): void {
    this.all = all.sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1));
    this.chosen = chosen;
    this.unit = unit;
    this.draw();
  }

  private listed(): NamedValue[] {
    const test = matcher(this.input.value);
    return this.all.filter(({ name, value }) => (value > 0 || this.chosen.has(name)) && (test === null || test(name)));
  }

  private draw(): void {
    const { chosen, unit, words } = this;
    const listed = this.listed();
    const sum = this.all.reduce((total, { value }) => total + value, 0);
    this.summary.textContent = chosen.size === 0 ? `${words.title}: all ${count(this.all.filter(({ value }) => value > 0).length)}` : `${words.title}: ${[...chosen].slice(0, 3).map(nameOf).join(", ")}${chosen.size > 3 ? ` and ${count(chosen.size - 3)} more` : ""}`;
    const focused = this.list.contains(document.activeElement) ? (document.activeElement as HTMLInputElement).value : null;
    this.list.replaceChildren(
      ...listed.slice(0, MOST_SHOWN).map(({ name, value }) => {
        const box = el("input", { type: "checkbox", value: name, checked: chosen.has(name), change: () => this.toggle(name) });
        return el("li", {}, el("label", {}, box, el("span", { class: "thread-name" }, nameOf(name)), el("span", { class: "thread-value" }, `${amount(value, unit)}, ${share(value, sum)}`)));
      }),
    );
    if (focused !== null) {
      [...this.list.querySelectorAll("input")].find((box) => box.value === focused)?.focus();
    }
    this.more.textContent = listed.length > MOST_SHOWN ? `${plural(listed.length - MOST_SHOWN, words.one)} more; narrow by name` : listed.length === 0 ? `No ${words.one} has that name` : "";
  }

  private toggle(name: string): void {
    const names = new Set(this.chosen);
    if (!names.delete(name)) {
      names.add(name);
    }
    this.onChoose(names);
  }
}

function nameOf(name: string): string {
  return name === "" ? "(no name)" : name;
}
