// Whose buffers the page shows.
import { el } from "../src/dom.ts";
import { age } from "../src/words.ts";

export interface AboutJson {
  name: string;
  pid: number;
  host: string;
  /** ISO 8601, or empty. */
  startedAt: string;
  java: string;
  options: string;
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
    document.title = `${json.name || "Buftrail"} (${json.pid}): Buftrail live`;
  }

  /** @param now of the process, in milliseconds since the epoch */
  show(now: number): void {
    if (this.json === null) {
      return;
    }
    const { name, pid, host, startedAt, java, options } = this.json;
    const facts = [
      `process ${pid}${host ? ` on ${host}` : ""}`,
      startedAt ? `up ${age(Math.max(0, now - Date.parse(startedAt)))}` : "",
      `Java ${java}`,
      options ? `options ${options}` : "",
    ].filter(Boolean);
    this.element.replaceChildren(el("strong", {}, name || "unnamed"), ` · ${facts.join(" · ")}`);
  }
}
