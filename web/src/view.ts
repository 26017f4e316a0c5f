// What a flame graph draws: stacks from the top down, or from the bottom up.
import type { Series, Trie } from "./model.ts";
import { Projection, ROOT } from "./projection.ts";

/** Node -1 stands above all others. The first series gives the widths, others may say more. */
export interface View {
  /** The series that give the values. */
  readonly unit: string;
  /** Of a node with all below it. */
  total(node: number, series?: number): number;
  /** What of it belongs to no child. */
  self(node: number): number;
  parent(node: number): number;
  frame(node: number): number;
  /** In no order; those without a value may be missing. */
  children(node: number): ArrayLike<number>;
  /** The node of the page's stacks, or -1 where it stands for several. */
  origin(node: number): number;
  /** All nodes, or null where they are only made when asked for. */
  readonly size: number | null;
}

export class TopDown implements View {
  readonly unit: string;
  readonly size: number;
  private readonly trie: Trie;
  private readonly series: Series[];

  constructor(
    private readonly projection: Projection,
    series: Series[],
  ) {
    this.trie = projection.trie;
    this.series = series.map((one) => projection.series(one));
    this.unit = series[0].unit;
    this.size = this.trie.size;
  }

  total(node: number, series = 0): number {
    return this.series[series].at(node);
  }

  self(node: number): number {
    if (node >= 0) {
      return this.series[0].self[node];
    }
    return this.trie.children(ROOT).reduce((left, child) => left - this.series[0].total[child], this.series[0].sum);
  }

  parent(node: number): number {
    return this.trie.parent[node];
  }

  frame(node: number): number {
    return this.trie.frame[node];
  }

  children(node: number): ArrayLike<number> {
    return this.trie.children(node);
  }

  origin(node: number): number {
    return this.projection.isUnchanged ? node : -1;
  }
}

/** The nodes of the stacks that one node of this view represents, and the nodes whose values they contribute. */
interface Group {
  frame: number;
  parent: number;
  at: number[];
  of: number[];
  totals: number[];
  children: number[] | null;
}

/** Callers below their callees. Nodes are made when they are first asked for, as all of them would be too many. */
export class BottomUp implements View {
  readonly unit: string;
  readonly size = null;
  private readonly groups: Group[] = [];
  private readonly everything: Group;

  /**
   * @param values by series and node of the stacks
   * @param starts the nodes where it begins
   * @param below whether these are what all stands for, and not the first row
   */
  private constructor(
    private readonly trie: Trie,
    unit: string,
    private readonly values: Float64Array[],
    starts: number[],
    below: boolean,
  ) {
    this.unit = unit;
    this.everything = { frame: -1, parent: ROOT, at: starts, of: starts, totals: values.map((value) => starts.reduce((sum, node) => sum + value[node], 0)), children: null };
    this.everything.children = this.grown(this.everything, ROOT, below ? (node) => trie.parent[node] : (node) => node);
  }

  /** Of all stacks, from where their values are. */
  static of(projection: Projection, series: Series[]): BottomUp {
    const over = series.map((one) => projection.series(one));
    const starts: number[] = [];
    for (let node = 0; node < projection.trie.size; node++) {
      if (over.some((one) => one.self[node] > 0)) {
        starts.push(node);
      }
    }
    return new BottomUp(projection.trie, series[0].unit, over.map((one) => one.self), starts, false);
  }

  /** The callers of a function, which is what all stands for. */
  static callers(projection: Projection, series: Series[], nameOf: Int32Array, name: number): BottomUp {
    const { trie } = projection;
    const over = series.map((one) => projection.series(one));
    const starts: number[] = [];
    const running = new Uint8Array(trie.size);
    for (let node = 0; node < trie.size; node++) {
      const parent = trie.parent[node];
      const before = parent >= 0 && running[parent] === 1;
      const is = nameOf[trie.frame[node]] === name;
      running[node] = before || is ? 1 : 0;
      if (is && !before) {
        starts.push(node);
      }
    }
    return new BottomUp(trie, series[0].unit, over.map((one) => one.total), starts, true);
  }

  private group(node: number): Group {
    return node < 0 ? this.everything : this.groups[node];
  }

  private grown(from: Group, parent: number, next: (node: number) => number): number[] {
    const children = new Map<number, number>();
    from.at.forEach((node, i) => {
      const at = next(node);
      if (at < 0) {
        return;
      }
      const frame = this.trie.frame[at];
      let child = children.get(frame);
      if (child === undefined) {
        child = this.groups.length;
        children.set(frame, child);
        this.groups.push({ frame, parent, at: [], of: [], totals: this.values.map(() => 0), children: null });
      }
      const group = this.groups[child];
      group.at.push(at);
      group.of.push(from.of[i]);
      this.values.forEach((value, k) => (group.totals[k] += value[from.of[i]]));
    });
    return [...children.values()];
  }

  total(node: number, series = 0): number {
    return this.group(node).totals[series];
  }

  self(node: number): number {
    const children = this.children(node);
    let left = this.total(node);
    for (let i = 0; i < children.length; i++) {
      left -= this.total(children[i]);
    }
    return left;
  }

  parent(node: number): number {
    return this.groups[node].parent;
  }

  frame(node: number): number {
    return this.groups[node].frame;
  }

  children(node: number): ArrayLike<number> {
    const group = this.group(node);
    group.children ??= this.grown(group, node, (at) => this.trie.parent[at]);
    return group.children;
  }

  origin(): number {
    return -1;
  }
}
