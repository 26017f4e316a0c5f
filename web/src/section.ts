// A part of a page that fails alone: it then says what failed, and all others stay as they are.
import { el } from "./dom.ts";

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What stands in place of a part that failed. */
function failure(title: string, error: unknown): HTMLElement {
  console.error(error);
  return el(
    "section",
    { class: "failed-section", "aria-label": title },
    el("h2", {}, title),
    el("p", { role: "alert" }, `This section cannot be shown: ${messageOf(error)}`),
  );
}

export class Section<T> {
  private shown: HTMLElement[];
  private part: T | null = null;

  /**
   * @param title what is said to have failed
   * @param elementsOf what the page shows of the part
   */
  constructor(
    private readonly title: string,
    make: () => T,
    elementsOf: (part: T) => HTMLElement[],
  ) {
    try {
      const part = make();
      this.shown = elementsOf(part);
      this.part = part;
    } catch (error) {
      this.shown = [failure(title, error)];
    }
  }

  get elements(): HTMLElement[] {
    return this.shown;
  }

  /** Does something with the part unless it has failed; a part that fails now gives way to what it says of that. */
  do(action: (part: T) => void): void {
    this.ask<unknown>(action, null);
  }

  /** Asks the part, with an answer for one that has failed. */
  ask<R>(question: (part: T) => R, otherwise: R): R {
    if (this.part === null) {
      return otherwise;
    }
    try {
      return question(this.part);
    } catch (error) {
      this.part = null;
      const failed = failure(this.title, error);
      const [first, ...others] = this.shown;
      first?.replaceWith(failed);
      for (const other of others) {
        other.remove();
      }
      this.shown = [failed];
      return otherwise;
    }
  }
}

/** Elements that are made once, or what is said in their place. */
export function guarded(title: string, make: () => HTMLElement[]): HTMLElement[] {
  return new Section(title, make, (elements) => elements).elements;
}

/** Shows in a holder what is made, or what is said in its place. An element that is there already keeps the focus. */
export function showIn(holder: HTMLElement, title: string, make: () => HTMLElement[]): void {
  const elements = guarded(title, make);
  if (elements.length !== holder.childElementCount || elements.some((element, i) => holder.children[i] !== element)) {
    holder.replaceChildren(...elements);
  }
}

/** Shows one line for errors outside all sections, in a handler or a timer. */
export function faultLine(): HTMLElement {
  const line = el("p", { class: "fault", role: "alert", hidden: true });
  const show = (error: unknown) => {
    line.textContent = `This page could not do all that it was asked: ${messageOf(error)}`;
    line.hidden = false;
  };
  addEventListener("error", ({ error }) => {
    // A notice of the browser itself carries no error.
    if (error) {
      show(error);
    }
  });
  addEventListener("unhandledrejection", ({ reason }) => show(reason));
  return line;
}
