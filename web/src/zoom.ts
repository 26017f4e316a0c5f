// What is zoomed to, as text that holds for another snapshot of the same paths too: a few letters a frame.
import { EVERYTHING, type Focus, pathTo } from "./layout.ts";
import type { Model } from "./model.ts";
import type { View } from "./view.ts";

const LETTERS = 4;
const FOLD = "~";

function letters(model: Model, view: View, node: number): string {
  const origin = view.origin(node);
  const text = `${model.placeOf(view.frame(node))} ${origin < 0 ? "" : model.refs(origin)}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, "0").slice(-LETTERS);
}

export function zoomText(model: Model, view: View, { node, from, to }: Focus): string {
  const path = pathTo(view, node)
    .slice(1)
    .map((hop) => letters(model, view, hop))
    .join("");
  return to === 0 ? path : `${path}${FOLD}${from}-${to}`;
}

/** Follows the text as far as the view has its frames. */
export function zoomOf(model: Model, view: View, text: string): Focus {
  const [path, range = ""] = text.split(FOLD);
  let { node } = EVERYTHING;
  for (let at = 0; at < path.length; at += LETTERS) {
    const wanted = path.slice(at, at + LETTERS);
    const next = Array.from(view.children(node)).find((child) => view.total(child) > 0 && letters(model, view, child) === wanted);
    if (next === undefined) {
      return { node, from: 0, to: 0 };
    }
    node = next;
  }
  const [, from = "0", to = "0"] = /^(\d+)-(\d+)$/.exec(range) ?? [];
  return Number(from) < Number(to) ? { node, from: Number(from), to: Number(to) } : { node, from: 0, to: 0 };
}
