// Which frames of a flame graph are wide enough to be seen, and where they stand.
import type { Series, Trie } from "./model.ts";

export interface Box {
  /** The node; -1 is everything. */
  node: number;
  x: number;
  width: number;
  row: number;
  /** More than 0 where the box stands for that many siblings too narrow to be seen. */
  folded: number;
  /** A caller of the frame that is zoomed to: full width, whatever its own value. */
  above: boolean;
}

export interface Layout {
  boxes: Box[];
  rows: number;
  /** Whether the limit of boxes cut deeper rows off. */
  cut: boolean;
}

const MIN_WIDTH = 2;
export const MAX_BOXES = 5_000;

/** Lays out the frame that is zoomed to, its callers above it, and what is below it. */
export function layOut(trie: Trie, series: Series, focus: number, width: number): Layout {
  const boxes: Box[] = [];
  const callers = focus < 0 ? [] : [-1, ...trie.pathTo(focus).slice(0, -1)];
  for (const node of callers) {
    boxes.push({ node, x: 0, width, row: boxes.length, folded: 0, above: true });
  }
  const first: Box = { node: focus, x: 0, width, row: boxes.length, folded: 0, above: false };
  boxes.push(first);
  let level = [first];
  let cut = false;
  let rows = boxes.length;
  while (level.length > 0 && !cut) {
    const next: Box[] = [];
    for (const box of level) {
      below(trie, series, box, next);
    }
    if (boxes.length + next.length > MAX_BOXES) {
      cut = true;
    } else if (next.length > 0) {
      boxes.push(...next);
      rows++;
    }
    level = next.filter((box) => box.folded === 0);
  }
  return { boxes, rows, cut };
}

function below(trie: Trie, series: Series, box: Box, into: Box[]): void {
  const whole = series.at(box.node);
  if (whole <= 0) {
    return;
  }
  const scale = box.width / whole;
  const smallest = MIN_WIDTH / scale;
  const wide: number[] = [];
  let narrow = 0;
  let narrowTotal = 0;
  let narrowNode = -1;
  for (const child of trie.children(box.node)) {
    const value = series.total[child];
    if (value >= smallest) {
      wide.push(child);
    } else if (value > 0) {
      narrow++;
      narrowTotal += value;
      narrowNode = child;
    }
  }
  wide.sort((a, b) => series.total[b] - series.total[a] || a - b);
  let x = box.x;
  const row = box.row + 1;
  for (const node of wide) {
    const width = series.total[node] * scale;
    into.push({ node, x, width, row, folded: 0, above: false });
    x += width;
  }
  if (narrow > 0 && narrowTotal * scale >= 1) {
    into.push({ node: narrowNode, x, width: narrowTotal * scale, row, folded: narrow, above: false });
  }
}
