// Which frames of a flame graph are wide enough to be seen, and where they stand.
import type { View } from "./view.ts";

/** The target of a zoom: a node, or, if `to` is not 0, some of its children, counted from the largest. */
export interface Focus {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

export interface Box {
  /** The node; -1 is everything. Of siblings that are folded, their parent. */
  node: number;
  x: number;
  width: number;
  row: number;
  /** More than 0 where the box stands for that many siblings, most of them too narrow to be seen. */
  folded: number;
  /** How many siblings are larger than those. */
  from: number;
  value: number;
  /** A caller of the frame that is zoomed to: full width, whatever its own value. */
  above: boolean;
}

export interface Layout {
  boxes: Box[];
  rows: number;
  /** Whether the limit on boxes cut off deeper rows. */
  cut: boolean;
}

export const EVERYTHING: Focus = { node: -1, from: 0, to: 0 };
const MIN_WIDTH = 2;
/** How wide a fold is at least right below what is zoomed to, so that it can be clicked. */
const MIN_FOLD = 6;
/** Siblings that are all too narrow come in so many groups. */
const GROUPS = 32;
export const MAX_BOXES = 5_000;

export function focusOf(box: Box): Focus {
  return { node: box.node, from: box.from, to: box.folded === 0 ? 0 : box.from + box.folded };
}

/** Lays out what is zoomed to, its callers above it, and what is below it. */
export function layOut(view: View, focus: Focus, width: number): Layout {
  const boxes: Box[] = [];
  const isFold = focus.to > 0;
  const path = pathTo(view, focus.node);
  path.forEach((node, i) => {
    const above = i < path.length - 1 || isFold;
    boxes.push({ node, x: 0, width, row: i, folded: 0, from: 0, value: view.total(node), above });
  });
  if (isFold) {
    const some = ranked(view, focus.node).slice(focus.from, focus.to);
    boxes.push({ node: focus.node, x: 0, width, row: boxes.length, folded: some.length, from: focus.from, value: sum(view, some), above: false });
  }
  let level = boxes.slice(-1);
  let rows = boxes.length;
  let smallestFold = MIN_FOLD;
  while (level.length > 0) {
    const next: Box[] = [];
    for (const box of level) {
      below(view, box, smallestFold, next);
    }
    if (boxes.length + next.length > MAX_BOXES) {
      return { boxes, rows, cut: true };
    }
    if (next.length > 0) {
      boxes.push(...next);
      rows++;
    }
    level = next.filter((box) => box.folded === 0);
    smallestFold = 0;
  }
  return { boxes, rows, cut: false };
}

/** From everything to the node, both included. */
export function pathTo(view: View, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = view.parent(at)) {
    path.push(at);
  }
  return [...path, -1].reverse();
}

function sum(view: View, nodes: number[]): number {
  return nodes.reduce((all, node) => all + view.total(node), 0);
}

function order(view: View): (a: number, b: number) => number {
  return (a, b) => view.total(b) - view.total(a) || a - b;
}

/** The children that have a value, largest first. */
function ranked(view: View, node: number): number[] {
  return Array.from(view.children(node)).filter((child) => view.total(child) > 0).sort(order(view));
}

function below(view: View, box: Box, smallestFold: number, into: Box[]): void {
  if (box.value <= 0) {
    return;
  }
  const scale = box.width / box.value;
  const smallest = MIN_WIDTH / scale;
  const children = box.folded > 0 ? ranked(view, box.node).slice(box.from, box.from + box.folded) : view.children(box.node);
  const wide: number[] = [];
  let narrow = 0;
  let narrowTotal = 0;
  for (let i = 0; i < children.length; i++) {
    const value = view.total(children[i]);
    if (value >= smallest) {
      wide.push(children[i]);
    } else if (value > 0) {
      narrow++;
      narrowTotal += value;
    }
  }
  const row = box.row + 1;
  if (wide.length === 0 && box.folded > 0) {
    groups(view, box, children as number[], into);
    return;
  }
  wide.sort(order(view));
  let x = box.x;
  for (const node of wide) {
    const value = view.total(node);
    into.push({ node, x, width: value * scale, row, folded: 0, from: 0, value, above: false });
    x += value * scale;
  }
  const width = Math.max(narrowTotal * scale, smallestFold);
  if (narrow > 0 && width >= 1) {
    x = Math.min(x, box.x + box.width - width);
    into.push({ node: box.node, x, width, row, folded: narrow, from: box.from + wide.length, value: narrowTotal, above: false });
  }
}

/** Siblings of which none is wide enough, in groups of as many each. */
function groups(view: View, box: Box, siblings: number[], into: Box[]): void {
  const size = Math.ceil(siblings.length / GROUPS);
  let x = box.x;
  for (let at = 0; at < siblings.length; at += size) {
    const some = siblings.slice(at, at + size);
    const value = sum(view, some);
    const width = (value / box.value) * box.width;
    into.push({ node: box.node, x, width, row: box.row + 1, folded: some.length, from: box.from + at, value, above: false });
    x += width;
  }
}
