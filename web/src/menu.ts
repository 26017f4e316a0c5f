// A menu at the pointer, or below what the keyboard is at.
import { el } from "./dom.ts";

export interface MenuItem {
  label: string;
  act(): void;
}

let closeOpen = () => {};

/** @param back gets the focus when the menu is closed by a key */
export function openMenu(label: string, items: MenuItem[], x: number, y: number, back: HTMLElement): void {
  closeOpen();
  const buttons = items.map(({ label: text, act }) =>
    el(
      "button",
      {
        type: "button",
        role: "menuitem",
        tabindex: "-1",
        click: () => {
          close();
          back.focus({ preventScroll: true });
          act();
        },
      },
      text,
    ),
  );
  const menu = el("div", { class: "menu", role: "menu", "aria-label": label, keydown: (event) => key(event as KeyboardEvent) }, ...buttons);
  const close = () => {
    menu.remove();
    removeEventListener("pointerdown", outside, true);
    closeOpen = () => {};
  };
  const outside = (event: Event) => {
    if (!menu.contains(event.target as Node)) {
      close();
    }
  };
  const key = (event: KeyboardEvent) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length].focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
      back.focus({ preventScroll: true });
    }
  };
  (document.querySelector("main") ?? document.body).append(menu);
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - menu.offsetHeight - 8))}px`;
  closeOpen = close;
  addEventListener("pointerdown", outside, true);
  buttons[0]?.focus({ preventScroll: true });
}
