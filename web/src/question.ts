// Asks before something is done that cannot be undone.
import { el } from "./dom.ts";

let instances = 0;

/** @returns whether the answer was yes; Escape means no */
export function askFirst(title: string, text: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const id = `question-${instances++}`;
    const button = (label: string, answer: string) => el("button", { type: "button", click: () => dialog.close(answer) }, label);
    const no = button("Cancel", "");
    const dialog = el(
      "dialog",
      {
        class: "question",
        role: "alertdialog",
        "aria-labelledby": `${id}-title`,
        "aria-describedby": `${id}-text`,
        close: () => {
          // The browser has given the focus back to what had it before.
          dialog.remove();
          resolve(dialog.returnValue === "yes");
        },
      },
      el("h2", { id: `${id}-title` }, title),
      el("p", { id: `${id}-text` }, text),
      el("p", { class: "answers" }, no, button(yes, "yes")),
    );
    (document.querySelector("main") ?? document.body).append(dialog);
    dialog.showModal();
    no.focus();
  });
}
