// The search field: waits for a pause in typing, and `/` jumps to it.
import { el, onWindow } from "./dom.ts";

const PAUSE_MILLIS = 150;

export interface Search {
  element: HTMLElement;
  /** Asks again, as what is searched has changed. */
  refresh(): void;
}

/** @param onSearch gets the term and says what was found */
export function searchBox(label: string, onSearch: (term: string) => string): Search {
  let timer = 0;
  const result = el("p", { class: "search-result", "aria-live": "polite" });
  const run = () => {
    result.textContent = onSearch(input.value);
  };
  const input = el("input", {
    type: "search",
    id: "search",
    placeholder: label,
    "aria-label": label,
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
    input: () => {
      clearTimeout(timer);
      timer = window.setTimeout(run, PAUSE_MILLIS);
    },
    keydown: (event) => {
      if ((event as KeyboardEvent).key === "Enter") {
        clearTimeout(timer);
        run();
      }
    },
  });
  onWindow("keydown", "search", (event) => {
    const { key, ctrlKey, metaKey, target } = event as KeyboardEvent;
    if (key === "/" && !(target instanceof HTMLInputElement) && !ctrlKey && !metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
  const refresh = () => {
    if (input.value !== "") {
      run();
    }
  };
  return { element: el("div", { class: "search", role: "search" }, input, result), refresh };
}
