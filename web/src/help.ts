// The list of keys and gestures that `?` shows.
import { el, onWindow } from "./dom.ts";

const KEYS: readonly [string, string][] = [
  ["/", "search; Enter goes to the next match, Shift+Enter to the one before"],
  ["Click, Enter", "zooms to a frame"],
  ["Ctrl and wheel, two fingers", "zooms towards the pointer, or out"],
  ["0", "shows the whole graph"],
  ["Escape", "zooms out by one frame"],
  ["Arrow keys", "go from frame to frame"],
  ["Right click, menu key", "callers and callees, only stacks through it, hide it, copy its name"],
  ["?", "this list"],
];

/** Whether a key belongs to a field that takes text. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** A button that shows the list, as `?` does. */
export function helpButton(): HTMLElement {
  const close = el("button", { type: "button", class: "close", "aria-label": "Close", click: () => dialog.close() }, "×");
  const dialog = el(
    "dialog",
    { class: "path-dialog help", "aria-labelledby": "help-title" },
    close,
    el("h2", { id: "help-title" }, "Keys and pointer"),
    el("dl", {}, ...KEYS.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)])),
  );
  const open = () => {
    if (!dialog.open) {
      (document.querySelector("main") ?? document.body).append(dialog);
      dialog.showModal();
    }
  };
  onWindow("keydown", "help", (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === "?" && !ctrlKey && !metaKey && !isTyping(event)) {
      event.preventDefault();
      open();
    }
  });
  return el("button", { type: "button", class: "help-button", "aria-haspopup": "dialog", "aria-keyshortcuts": "?", title: "Keys and pointer", click: open }, "?");
}
