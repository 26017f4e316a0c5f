// Light, dark, or what the system says; remembered where the browser lets a file remember.
import { el } from "./dom.ts";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEY = "buftrail.theme";

/** What is drawn on a canvas must be drawn again. */
function changed(): void {
  dispatchEvent(new Event("themechange"));
}

export function themeButton(): HTMLElement {
  let theme = remembered();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  const button = el("button", {
    type: "button",
    class: "theme",
    click: () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      apply();
      remember(theme);
    },
  });
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    changed();
    button.textContent = `Theme: ${theme}`;
  };
  apply();
  return button;
}

function remembered(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A page from a file may not be allowed to; the choice then holds for this view.
  }
}
