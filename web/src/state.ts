// What is looked at, in the address: Back goes to what was looked at before, and the address shows the same again.
import { onWindow } from "./dom.ts";

function parameters(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** The value of a key in the address, or an empty text. */
export function stateOf(key: string): string {
  return parameters().get(key) ?? "";
}

export function statesOf(key: string): string[] {
  return parameters().getAll(key);
}

/**
 * Changes what the address says; an empty value takes a key out.
 * @param step whether Back undoes it; typing is not a step
 */
export function setState(changes: Record<string, string | readonly string[]>, step: boolean): void {
  const next = parameters();
  for (const [key, value] of Object.entries(changes)) {
    next.delete(key);
    for (const one of typeof value === "string" ? [value] : value) {
      if (one !== "") {
        next.append(key, one);
      }
    }
  }
  const hash = next.toString();
  if (hash === parameters().toString()) {
    return;
  }
  const address = `${location.pathname}${location.search}${hash === "" ? "" : `#${hash}`}`;
  if (step) {
    history.pushState(null, "", address);
  } else {
    history.replaceState(null, "", address);
  }
}

/** Does something after Back or Forward. One for each purpose, as for {@link onWindow}. */
export function onBack(purpose: string, handler: () => void): void {
  onWindow("popstate", purpose, handler);
}
