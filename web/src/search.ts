// The search field: waits for a pause in typing, and `/` jumps to it.
import { el } from "./dom.ts";

const PAUSE_MILLIS = 150;

/** @param onSearch gets the term and says what was found */
export function searchBox(label: string, onSearch: (term: string) => string): HTMLElement {
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
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
  return el("div", { class: "search", role: "search" }, input, result);
}
