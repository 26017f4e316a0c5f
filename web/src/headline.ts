// The summary of a flow snapshot: cards with totals, and warnings about them.
import { el } from "./dom.ts";
import { misuseTimes } from "./misuses.ts";
import type { Model } from "./model.ts";
import { suspectNote } from "./suspects.ts";
import { age, bytes, count, plural, share } from "./words.ts";

export interface Totals {
  leaked: number;
  leakedBytes: number;
  directLeaked: number;
  directLeakedBytes: number;
  live: number;
  liveBytes: number;
  directLiveBytes: number;
  heapLeaked: number;
  heapLeakedBytes: number;
  heapLiveBytes: number;
  /** What is no buffer. */
  resourcesLeaked: number;
  resourcesLive: number;
  held: number;
  dropped: number;
  droppedBytes: number;
  released: number;
  releasedBytes: number;
  oldest: number;
}

/** Many parts of a page ask. */
const known = new WeakMap<Model, Totals>();

export function totalsOf(model: Model): Totals {
  let totals = known.get(model);
  if (totals === undefined) {
    totals = summed(model);
    known.set(model, totals);
  }
  return totals;
}

function summed(model: Model): Totals {
  const p = model.paths;
  const totals: Totals = {
    leaked: 0,
    leakedBytes: 0,
    directLeaked: 0,
    directLeakedBytes: 0,
    live: 0,
    liveBytes: 0,
    directLiveBytes: 0,
    heapLeaked: 0,
    heapLeakedBytes: 0,
    heapLiveBytes: 0,
    resourcesLeaked: 0,
    resourcesLive: 0,
    held: 0,
    dropped: 0,
    droppedBytes: 0,
    released: 0,
    releasedBytes: 0,
    oldest: -1,
  };
  for (let i = 0; i < p.node.length; i++) {
    totals.leaked += p.leaked[i];
    totals.leakedBytes += p.leakedBytes[i];
    totals.live += p.live[i];
    totals.liveBytes += p.liveBytes[i];
    totals.held += model.held[i];
    totals.dropped += model.dropped[i];
    totals.droppedBytes += model.droppedBytes[i];
    totals.released += p.released[i];
    totals.releasedBytes += p.releasedBytes[i];
    totals.oldest = Math.max(totals.oldest, p.oldest[i]);
    if (p.resource[i]) {
      totals.resourcesLeaked += p.leaked[i];
      totals.resourcesLive += p.live[i];
    } else {
      const memory = p.direct[i] ? "direct" : "heap";
      totals[`${memory}Leaked`] += p.leaked[i];
      totals[`${memory}LeakedBytes`] += p.leakedBytes[i];
      totals[`${memory}LiveBytes`] += p.liveBytes[i];
    }
  }
  return totals;
}

export function headline(model: Model): HTMLElement {
  const t = totalsOf(model);
  const allocated = model.json.totals?.allocated ?? t.leaked + t.held + t.dropped + t.live + t.released;
  const open = openQuestions(model);
  const isLeaking = t.leaked > 0;
  return el(
    "section",
    { class: "headline", "aria-label": "Totals" },
    isLeaking
      ? card("Leaked", t.leaked, t.leakedBytes, leakNotes(t), "critical")
      : card("Leaked", 0, t.leakedBytes, open.length > 0 ? open : [allocated > 0 ? "no leak was found" : "nothing was allocated"], open.length > 0 ? openStyle(model, open) : allocated > 0 ? "good" : ""),
    card(
      "Live",
      t.live,
      t.liveBytes,
      [
        t.directLiveBytes + t.heapLiveBytes > 0 ? `${bytes(t.directLiveBytes)} direct, ${bytes(t.heapLiveBytes)} heap` : "",
        t.resourcesLive > 0 ? `${plural(t.resourcesLive, "resource")} open` : "",
        t.oldest >= 0 ? `oldest ${age(t.oldest)}` : "",
        ...(isLeaking ? open : []),
      ].filter(Boolean),
      "live",
    ),
    t.dropped > 0 ? card("Dropped", t.dropped, t.droppedBytes, ["not released, nothing lost: no leak"], "") : null,
    card("Released", t.released, t.releasedBytes, [`${share(t.released, allocated)} of all flows`], ""),
    card("Allocated", allocated, t.leakedBytes + t.droppedBytes + t.liveBytes + t.releasedBytes, [`on ${plural(model.paths.node.length, "path")}`], ""),
    warnings(model),
  );
}

function leakNotes(t: Totals): string[] {
  return [
    t.directLeaked > 0 ? `critical: ${bytes(t.directLeakedBytes)} of direct memory` : "",
    t.heapLeaked > 0 ? `moderate: ${bytes(t.heapLeakedBytes)} of heap` : "",
    t.resourcesLeaked > 0 ? `moderate: ${plural(t.resourcesLeaked, "resource")} not closed` : "",
    t.held > 0 ? `holding ${plural(t.held, "more flow")}` : "",
  ].filter(Boolean);
}

/** Why nobody can say yet that nothing else leaks. */
function openQuestions(model: Model): string[] {
  const { tracker, totals } = model.json;
  return [
    suspectNote(model),
    tracker?.undecided ? `${count(tracker.undecided)} undecided: lost or still held` : "",
    tracker?.stoppedAt ? "new buffers are not followed" : "",
    totals?.suppressedErrors ? `${plural(totals.suppressedErrors, "error")} in the tracker` : "",
  ].filter(Boolean);
}

/** While the JVM runs, something is undecided at most moments: no reason to warn, and none to say that all is well. */
function openStyle(model: Model, open: string[]): string {
  const { tracker } = model.json;
  return open.length === 1 && tracker?.undecided && !tracker.atEnd ? "" : "moderate";
}

function card(name: string, flows: number, size: number, notes: string[], style: string): HTMLElement {
  return el(
    "div",
    { class: `card ${style}`.trim() },
    el("h2", {}, name),
    // Flows without bytes are resources: their number is what counts.
    el("p", { class: "figure" }, size === 0 && flows > 0 ? count(flows) : bytes(size)),
    el("p", { class: "figure-note" }, size === 0 && flows > 0 ? (flows === 1 ? "flow" : "flows") : plural(flows, "flow")),
    ...notes.map((note) => el("p", { class: "card-note" }, note)),
  );
}

function warnings(model: Model): HTMLElement | null {
  const { sampling = 1, totals, tracker, advice } = model.json;
  const lines: string[] = [];
  if (tracker?.stoppedAt) {
    const since = tracker.stoppedAt.replace("T", " ").replace(/\..*|Z$/, "");
    lines.push(`New buffers have not been followed since ${since} UTC: ${tracker.stopReason}.`);
  }
  if (advice) {
    lines.push(`${advice}.`);
  }
  if (sampling > 1) {
    lines.push(`1 in ${count(sampling)} allocations was followed; counts and bytes are scaled up to all.`);
  }
  if (totals && totals.overflowed > 0) {
    lines.push(`${plural(totals.overflowed, "flow")} went past a bound of the trie and are counted in hops marked overflow.`);
  }
  if (totals && totals.suppressedErrors > 0) {
    lines.push(`${plural(totals.suppressedErrors, "error")} inside the tracker were kept from the application; counts may be off.`);
  }
  if (tracker?.lostReleases) {
    lines.push(`${plural(tracker.lostReleases, "release")} could not be recorded; they are counted where the buffer was last seen.`);
  }
  if (tracker?.undecided && tracker.atEnd) {
    lines.push(`${count(tracker.undecided)} of the live ones are undecided: no collection has shown whether the application still had them; see the option collectAtEnd.`);
  }
  if (tracker?.unwovenClasses) {
    lines.push(`${plural(tracker.unwovenClasses, "class", "classes")} could not be woven; buffers are not seen in them.`);
  }
  for (const thread of tracker?.threads ?? []) {
    if (thread.failures > 0) {
      lines.push(`The agent's thread ${thread.name} failed in ${plural(thread.failures, "round")}${thread.lastFailure ? `; last: ${thread.lastFailure}` : ""}.`);
    }
  }
  const misuses = misuseTimes(model);
  if (misuses > 0) {
    lines.push(`${plural(misuses, "use")} of buffers that were released already, ranked below.`);
  }
  return lines.length > 0 ? el("ul", { class: "warnings" }, ...lines.map((line) => el("li", {}, line))) : null;
}
