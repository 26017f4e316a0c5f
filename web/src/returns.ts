// What a method returns is a hop named after the method. It is folded into the method's own hop before it,
// and stays a hop where a path ends, since there it says that the caller lost what was returned.
import type { PageJson } from "./pagejson.ts";

/** A mark beside those that the Java side writes. */
export const RETURNED = 4;

const SUFFIX = /_return$/;
/** Matches the suffix of a place, before its line. */
export const RETURN = /_return(?=:\d+$|$)/;

interface Frames {
  names: string[];
  /** The index of the name, by frame, without the suffix. */
  name: number[];
  isReturn: boolean[];
}

/** Returns a sentence about flows without the suffix of returns. */
export function withoutReturns(sentence: string): string {
  return sentence.replace(/_return(?=:\d+\b)/g, "");
}

/** The same stacks without returns between other hops; as they are where there is none, or they are broken. */
export function foldReturns(json: PageJson): PageJson {
  if (!json.names.some((name) => SUFFIX.test(name)) || !isWhole(json)) {
    return json;
  }
  const frames = withoutSuffix(json, hopNames(json));
  const target = targets(json, frames);
  const folding = new Folding(json, frames, target);
  folding.run();
  const at = (node: number) => folding.end[node] ?? node;
  const { paths, misuses, memory, peak, profiles, samples } = json;
  return {
    ...json,
    names: frames.names,
    frames: { ...json.frames, name: frames.name },
    nodes: folding.nodes,
    ...(profiles ? { profiles: profiles.map((profile) => (profile.nodes ? { ...profile, nodes: profile.nodes.map(at) } : profile)) } : {}),
    ...(samples ? { samples: samples.map((one) => ({ ...one, stacks: one.stacks.map(at) })) } : {}),
    ...(paths?.node ? { paths: { ...paths, node: paths.node.map(at) } } : {}),
    ...(misuses?.node && misuses.earlier ? { misuses: { ...misuses, node: misuses.node.map(at), earlier: misuses.earlier.map(at) } } : {}),
    ...(peak?.paths?.node ? { peak: { ...peak, paths: { ...peak.paths, node: peak.paths.node.map(at) } } } : {}),
    ...(memory?.holders ? { memory: { ...memory, holders: { ...memory.holders, node: memory.holders.node.map(at) } } } : {}),
  };
}

/** Whether the stacks can be read. Broken stacks are reported where they are shown. */
function isWhole({ nodes, frames }: PageJson): boolean {
  const size = frames.name?.length;
  return (
    Array.isArray(nodes?.up) &&
    nodes.frame?.length === nodes.up.length &&
    nodes.up.every((up, i) => up >= 0 && up <= i) &&
    nodes.frame.every((frame) => frame >= 0 && frame < size)
  );
}

/** Of which names the suffix says that a hop returned: those in the stacks of flows, which are a few kinds of a recording. */
function hopNames(json: PageJson): (name: number) => boolean {
  if (json.kind === "flows") {
    return () => true;
  }
  const { up, frame } = json.nodes;
  const inFlows = new Uint8Array(up.length);
  const hops = new Set<number>();
  for (const { type, nodes } of json.profiles ?? []) {
    if (/^(leaked|dropped|live|allocated)_/.test(type)) {
      nodes?.forEach((node) => (inFlows[node] = 1));
    }
  }
  for (let i = up.length - 1; i >= 0; i--) {
    if (inFlows[i]) {
      hops.add(json.frames.name[frame[i]]);
      inFlows[i - up[i]] = 1;
    }
  }
  return (name) => hops.has(name);
}

function withoutSuffix({ names, frames }: PageJson, isHop: (name: number) => boolean): Frames {
  const all = [...names];
  const known = new Map(all.map((name, i) => [name, i]));
  const bare = names.map((name, i) => {
    const method = isHop(i) ? name.replace(SUFFIX, "") : name;
    if (method === name) {
      return i;
    }
    let index = known.get(method);
    if (index === undefined) {
      index = all.push(method) - 1;
      known.set(method, index);
    }
    return index;
  });
  return { names: all, name: frames.name.map((name) => bare[name]), isReturn: frames.name.map((name) => isHop(name) && SUFFIX.test(names[name])) };
}

/** By node, the one that its children go to: of a return right below its method, the method's. */
function targets({ nodes }: PageJson, { name, isReturn }: Frames): Int32Array {
  const target = new Int32Array(nodes.up.length);
  nodes.up.forEach((up, i) => {
    const parent = up === 0 ? -1 : target[i - up];
    const frame = nodes.frame[i];
    const isFolded = parent >= 0 && isReturn[frame] && name[frame] === name[nodes.frame[parent]];
    target[i] = isFolded ? parent : i;
  });
  return target;
}

class Folding {
  readonly nodes: PageJson["nodes"];
  /** The new end of a path, by its old end. */
  readonly end: Int32Array;
  /** Children of nodes that others are folded into, which may have become equal. */
  private readonly children = new Map<number, Map<string, number>>();
  /** By node, where its children go. */
  private readonly made: Int32Array;

  constructor(
    private readonly json: PageJson,
    private readonly frames: Frames,
    private readonly target: Int32Array,
  ) {
    this.nodes = { up: [], frame: [], ...(json.nodes.ref ? { ref: [] } : {}), mark: [] };
    this.end = new Int32Array(target.length);
    this.made = new Int32Array(target.length);
  }

  run(): void {
    const { json, target } = this;
    const { up, frame } = json.nodes;
    const ends = new Set([...(json.paths?.node ?? []), ...(json.misuses?.node ?? []), ...(json.misuses?.earlier ?? []), ...(json.memory?.holders?.node ?? []), ...(json.peak?.paths?.node ?? []), ...(json.profiles ?? []).flatMap(({ nodes }) => nodes ?? []), ...(json.samples ?? []).flatMap(({ stacks }) => stacks)]);
    target.forEach((to, i) => {
      if (to !== i) {
        this.children.set(to, new Map());
      }
    });
    for (let i = 0; i < target.length; i++) {
      const parent = up[i] === 0 ? -1 : target[i - up[i]];
      const mark = (json.nodes.mark?.[i] ?? 0) | (this.frames.isReturn[frame[i]] ? RETURNED : 0);
      if (target[i] === i) {
        this.made[i] = this.node(i, parent, mark);
        this.end[i] = this.made[i];
      } else {
        this.end[i] = ends.has(i) ? this.node(i, parent, mark) : this.made[target[i]];
      }
    }
  }

  private node(i: number, parent: number, mark: number): number {
    const { frame, ref } = this.json.nodes;
    const siblings = this.children.get(parent);
    const key = `${frame[i]} ${ref?.[i]} ${mark}`;
    const known = siblings?.get(key);
    if (known !== undefined) {
      return known;
    }
    const { nodes } = this;
    const index = nodes.up.length;
    nodes.up.push(parent < 0 ? 0 : index - this.made[parent]);
    nodes.frame.push(frame[i]);
    nodes.ref?.push(ref?.[i] as number);
    nodes.mark?.push(mark);
    siblings?.set(key, index);
    return index;
  }
}
