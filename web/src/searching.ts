// A search in parts, each so short that no key waits for it.
import { matcher } from "./matcher.ts";
import type { Matches, Model } from "./model.ts";

/** Names that are looked at in one part. */
const SLICE = 15_000;

/** @param onFound gets what matches, or null for a term that searches nothing */
export function searchSteps(model: Model, term: string, onFound: (matches: Matches | null) => void): (() => string)[] {
  const test = matcher(term);
  if (test === null) {
    return [() => (onFound(null), "")];
  }
  const { lines, nameOf } = model;
  const { names } = model.json;
  const hits = new Uint8Array(names.length);
  const frames = new Uint8Array(nameOf.length);
  return [
    ...sliced(names.length, (name) => (hits[name] = test(names[name]) ? 1 : 0)),
    ...sliced(frames.length, (frame) => (frames[frame] = hits[nameOf[frame]] === 1 || (lines[frame] > 0 && test(model.placeOf(frame))) ? 1 : 0)),
    () => (onFound(model.matching(test, frames)), ""),
  ];
}

function sliced(size: number, visit: (index: number) => void): (() => string)[] {
  return Array.from({ length: Math.ceil(size / SLICE) }, (_, slice) => () => {
    for (let i = slice * SLICE; i < Math.min(size, (slice + 1) * SLICE); i++) {
      visit(i);
    }
    return "";
  });
}
