// A shorter way to make elements. Text goes in as text: nothing from a snapshot becomes markup.

type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A section with a heading, by which it is called. */
export function titledSection(name: string, title: string, attributes: Attributes, ...children: Child[]): HTMLElement {
  const id = `${name}-title`;
  return el("section", { ...attributes, "aria-labelledby": id }, el("h2", { id }, title), ...children);
}

/** A table of a few rows, in a holder that scrolls where it has no room. */
export function scrolledTable(style: string, label: string, columns: string[], rows: HTMLElement[]): HTMLElement {
  const head = columns.map((column) => el("th", { scope: "col" }, column));
  const table = el("table", { class: style }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  return el("div", { class: `${style}-holder`, role: "group", tabindex: "0", "aria-label": label }, table);
}

const windowHandlers = new Map<string, (event: Event) => void>();

/**
 * Handles an event of the window. One handler for each purpose: a page that is drawn anew replaces its own,
 * so that a page which refreshes for days holds on to nothing.
 */
export function onWindow(type: string, purpose: string, handler: (event: Event) => void): void {
  const key = `${type} ${purpose}`;
  if (!windowHandlers.has(key)) {
    addEventListener(type, (event) => windowHandlers.get(key)?.(event));
  }
  windowHandlers.set(key, handler);
}

export interface Choice<T extends string> {
  value: T;
  label: string;
}

/** A row of buttons of which one is pressed. */
export function segmented<T extends string>(
  label: string,
  choices: readonly Choice<T>[],
  selected: T,
  onChange: (value: T) => void,
): HTMLElement {
  const buttons = choices.map((choice) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(choice.value === selected),
        "data-value": choice.value,
        click: () => {
          for (const button of buttons) {
            button.setAttribute("aria-pressed", String(button.dataset.value === choice.value));
          }
          onChange(choice.value);
        },
      },
      choice.label,
    ),
  );
  return el("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons);
}
