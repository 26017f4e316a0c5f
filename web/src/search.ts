// The search field: waits for a pause in typing, and `/` jumps to it.
import { el, onWindow } from "./dom.ts";
import { isTyping } from "./help.ts";
import { messageOf } from "./section.ts";
import { onBack, setState, stateOf } from "./state.ts";

const PAUSE_MILLIS = 150;

export interface Search {
  element: HTMLElement;
  /** Asks again, as what is searched has changed. */
  refresh(): void;
}

/** A part of a search; the last one says what was found. Each is done on its own, so that no key waits for all. */
export type SearchStep = () => string;

/**
 * @param onSearch gets the term
 * @param onStep goes to the next match or to the one before, and says where that is
 * @param first what is searched where the address says nothing
 */
export function searchBox(label: string, onSearch: (term: string) => SearchStep[], onStep: (step: 1 | -1) => string, first = ""): Search {
  let timer = 0;
  let shown = "";
  const result = el("p", { class: "search-result", "aria-live": "polite" });
  const at = el("span", { class: "search-at", "aria-live": "polite" });
  /** What a search under way has still to do, and what is to be done after it. */
  let left: SearchStep[] = [];
  let after = () => {};
  const begin = () => {
    clearTimeout(timer);
    shown = input.value;
    setState({ q: shown.trim() }, false);
    after = () => {};
    at.textContent = "";
    steps.hidden = shown.trim() === "";
    try {
      left = onSearch(shown);
    } catch (error) {
      left = [];
      failed(error);
    }
  };
  const failed = (error: unknown) => {
    console.error(error);
    result.textContent = `The search failed: ${messageOf(error)}`;
  };
  const next = () => {
    try {
      const said = left.shift()?.() ?? "";
      if (left.length === 0) {
        result.textContent = said;
        after();
      }
    } catch (error) {
      left = [];
      failed(error);
    }
  };
  const goOn = () => {
    if (left.length > 0) {
      next();
      timer = window.setTimeout(goOn);
    }
  };
  const run = () => {
    begin();
    timer = window.setTimeout(goOn);
  };
  const go = (step: 1 | -1) => {
    if (input.value !== shown) {
      run();
    }
    const move = () => (at.textContent = onStep(step));
    if (left.length > 0) {
      after = move;
    } else {
      move();
    }
  };
  const input = el("input", {
    type: "search",
    id: "search",
    placeholder: label,
    "aria-label": `${label}, as text or as a regular expression. Enter goes to the next match.`,
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
    input: () => {
      clearTimeout(timer);
      timer = window.setTimeout(run, PAUSE_MILLIS);
    },
    keydown: (event) => {
      if ((event as KeyboardEvent).key === "Enter") {
        go((event as KeyboardEvent).shiftKey ? -1 : 1);
      }
    },
  });
  const button = (text: string, name: string, step: 1 | -1) => el("button", { type: "button", "aria-label": name, title: name, click: () => go(step) }, text);
  const steps = el("span", { class: "search-steps", hidden: true }, button("↑", "Previous match", -1), button("↓", "Next match", 1), at);
  const restore = () => {
    if (stateOf("q") !== input.value.trim()) {
      input.value = stateOf("q");
      run();
    }
  };
  onWindow("keydown", "search", (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === "/" && !isTyping(event) && !ctrlKey && !metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
  onBack("search", restore);
  // What is searched is made after the field.
  queueMicrotask(() => {
    restore();
    if (input.value === "" && first !== "") {
      input.value = first;
      run();
    }
  });
  const refresh = () => {
    if (input.value !== "") {
      begin();
      while (left.length > 0) {
        next();
      }
    }
  };
  return { element: el("div", { class: "search", role: "search" }, input, steps, result), refresh };
}
