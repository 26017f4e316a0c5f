// The process whose buffers the page shows, and the actions that it allows.
import { el } from "../src/dom.ts";
import type { ProcessJson } from "../src/pagejson.ts";
import { processLine, processTitle } from "../src/process.ts";

export interface AboutJson extends ProcessJson {
  /** Whether snapshot files can be written. */
  snapshots: boolean;
}

export class About {
  readonly element = el("p", { class: "taken about" });
  private json: AboutJson | null = null;

  get isKnown(): boolean {
    return this.json !== null;
  }

  know(json: AboutJson): void {
    this.json = json;
    document.title = `${processTitle(json)}: Buftrail live`;
  }

  /** @param now of the process, in milliseconds since the epoch */
  show(now: number): void {
    if (this.json !== null) {
      this.element.replaceChildren(...processLine(this.json, now));
    }
  }
}
