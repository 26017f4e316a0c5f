// Which hops tell a path from others that end in the same place.
import type { Model } from "./model.ts";

/** With more than these, some of them stand for all. */
const COMPARED = 1_000;

export interface Differences {
  hasEqualEnds: boolean;
  /** The nodes in which a path differs from others with the same end, from the root on; empty if no other path ends there. */
  unlike(path: number): number[];
}

/** @param endOf the node that is shown as the end of a path */
export function differences(model: Model, endOf: (path: number) => number): Differences {
  const { parent, frame } = model.trie;
  const byEnd = new Map<number, number[]>();
  const paths = model.paths.node.length;
  for (let path = 0; path < paths; path++) {
    const end = endOf(path);
    const frameOfEnd = end < 0 ? -1 : frame[end];
    const others = byEnd.get(frameOfEnd);
    if (others === undefined) {
      byEnd.set(frameOfEnd, [path]);
    } else {
      others.push(path);
    }
  }
  const known = new Map<number, number[]>();
  const frameAt = (node: number) => (node < 0 ? -1 : frame[node]);
  const find = (path: number): number[] => {
    let at = endOf(path);
    let alike = (byEnd.get(frameAt(at)) ?? []).slice(0, COMPARED).filter((other) => other !== path).map(endOf);
    const unlike: number[] = [];
    while (at >= 0 && parent[at] >= 0 && alike.length > 0) {
      at = parent[at];
      const left = alike.map((node) => (node < 0 ? -1 : parent[node])).filter((node) => frameAt(node) === frame[at]);
      // The root has a column of its own.
      if (left.length < alike.length && parent[at] >= 0) {
        unlike.push(at);
      }
      alike = left;
    }
    return unlike.reverse();
  };
  return {
    hasEqualEnds: byEnd.size < paths,
    unlike: (path) => {
      let unlike = known.get(path);
      if (unlike === undefined) {
        unlike = find(path);
        known.set(path, unlike);
      }
      return unlike;
    },
  };
}
