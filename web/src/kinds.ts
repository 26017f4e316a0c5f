// What kinds of profiles are about, so that many of them can be overlooked, and which of them is looked at first.
import type { ProfileJson } from "./pagejson.ts";

/** By what the name of a kind begins with; what begins with none of these comes last. */
const GROUPS: readonly [string, RegExp][] = [
  ["Netty", /^(flow_|netty|resource)/],
  ["CPU", /^(cpu|wall|native$|method_|itimer|samples?$)/],
  ["Memory", /^(alloc|live|nativemem|heap|inuse|tlab|space$|objects$)/],
  ["Locks", /^(lock|monitor|mutex|contention|park)/],
  ["I/O", /^(socket|file|disk|network)/],
  ["JVM", /^(gc|vm_|errors?$|exceptions?$|safepoint|class|compil|jit|deopt|thread)/],
];
const OTHERS = "Others";

export interface KindGroup {
  name: string;
  kinds: string[];
}

/** Kinds in the order of their groups. A single group, and the states of flows, need no heading. */
export function grouped(kinds: readonly string[]): KindGroup[] {
  if (kinds.includes("leaked")) {
    return [{ name: "", kinds: [...kinds] }];
  }
  const groups = [...GROUPS.map(([name]) => name), OTHERS].map((name): KindGroup => ({ name, kinds: [] }));
  for (const kind of kinds) {
    const at = GROUPS.findIndex(([, begins]) => begins.test(kind));
    groups[at < 0 ? GROUPS.length : at].kinds.push(kind);
  }
  const filled = groups.filter((group) => group.kinds.length > 0);
  return filled.length === 1 ? [{ ...filled[0], name: "" }] : filled;
}

/** What a page that is broken has no values of counts as nothing. */
export function sumOf({ values }: ProfileJson): number {
  return (values ?? []).reduce((sum, value) => sum + value, 0);
}

/** The profile that is shown first: what leaked, where something did. */
export function usual(profiles: readonly ProfileJson[]): number {
  const leaked = profiles.flatMap((profile, i) => (profile.name === "flow_leaked" && sumOf(profile) > 0 ? [i] : []));
  return leaked.length > 0 ? telling(profiles, leaked) : 0;
}

/** The most telling measure of a kind: bytes or time rather than counts. */
export function telling(profiles: readonly ProfileJson[], of: readonly number[]): number {
  return of.find((i) => profiles[i].unit !== "count" && sumOf(profiles[i]) > 0) ?? of[0];
}
