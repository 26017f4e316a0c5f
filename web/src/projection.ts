// Merged stacks with some frames taken out or put together, and series of the stacks they were made from.
import { Series, Trie } from "./model.ts";

/** Above all roots. */
export const ROOT = -1;
const OUT = -2;

/** What is done to stacks. Functions are given by the index of their name. */
export interface Change {
  /** Their callees stand below their callers. */
  readonly hidden: ReadonlySet<number>;
  /** Only stacks through this function are left; -1 for all. */
  readonly only: number;
  /** Calls of a function that is running already belong to the call that runs. */
  readonly recursion: boolean;
  /** Stacks begin below the outermost call of this function; -1 for none. */
  readonly root: number;
}

export const UNCHANGED: Change = { hidden: new Set(), only: -1, recursion: false, root: -1 };

export class Projection {
  private readonly projected = new WeakMap<Series, Series>();

  /** @param at where each node's own value goes: a node, above all roots, or nowhere */
  private constructor(
    readonly trie: Trie,
    private readonly at: Int32Array | null,
  ) {}

  /** The stacks as they are. */
  static of(trie: Trie): Projection {
    return new Projection(trie, null);
  }

  /** @param nameOf the index of the name by frame */
  static changed(trie: Trie, nameOf: Int32Array, change: Change): Projection {
    const place = new Int32Array(trie.size);
    const at = new Int32Array(trie.size);
    const passed = new Uint8Array(trie.size);
    const made = new Made(nameOf);
    const wanted = change.root >= 0 ? change.root : change.only;
    for (let i = 0; i < trie.size; i++) {
      const parent = trie.parent[i];
      const name = nameOf[trie.frame[i]];
      const before = parent >= 0 && passed[parent] === 1;
      passed[i] = before || wanted < 0 || name === wanted ? 1 : 0;
      if (change.root >= 0 && !before) {
        place[i] = passed[i] ? ROOT : OUT;
      } else {
        place[i] = made.place(parent < 0 ? ROOT : place[parent], trie.frame[i], change);
      }
      at[i] = passed[i] ? place[i] : OUT;
    }
    return new Projection(made.trie(), at);
  }

  /** A series of the stacks this was made from, over these. */
  series(of: Series): Series {
    const { at, trie } = this;
    if (at === null) {
      return of;
    }
    let series = this.projected.get(of);
    if (!series) {
      const nodes: number[] = [];
      const values: number[] = [];
      of.self.forEach((value, node) => {
        if (value !== 0 && at[node] !== OUT) {
          nodes.push(at[node]);
          values.push(value);
        }
      });
      series = new Series(of.name, of.unit, trie, nodes, values);
      this.projected.set(of, series);
    }
    return series;
  }

  /** Whether nodes are those of the stacks this was made from. */
  get isUnchanged(): boolean {
    return this.at === null;
  }
}

class Made {
  private readonly up: number[] = [];
  private readonly frame: number[] = [];
  private readonly children = new Map<number, number>();

  constructor(private readonly nameOf: Int32Array) {}

  place(above: number, frame: number, change: Change): number {
    const name = this.nameOf[frame];
    if (change.hidden.has(name)) {
      return above;
    }
    const running = change.recursion ? this.running(above, name, change.root) : OUT;
    return running === OUT ? this.child(above, frame) : running;
  }

  private running(above: number, name: number, root: number): number {
    for (let at = above; at >= 0; at = this.parent(at)) {
      if (this.nameOf[this.frame[at]] === name) {
        return at;
      }
    }
    return name === root ? ROOT : OUT;
  }

  private parent(node: number): number {
    return this.up[node] === 0 ? ROOT : node - this.up[node];
  }

  private child(above: number, frame: number): number {
    const key = (above + 1) * this.nameOf.length + frame;
    let node = this.children.get(key);
    if (node === undefined) {
      node = this.up.length;
      this.up.push(above < 0 ? 0 : node - above);
      this.frame.push(frame);
      this.children.set(key, node);
    }
    return node;
  }

  trie(): Trie {
    return new Trie(this.up, this.frame);
  }
}
