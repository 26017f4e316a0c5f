// A visit to a page: what is done there, and what is to be seen after it, as text that a file keeps.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import type { PageJson } from "../src/pagejson.ts";
import { Fake, type Happening, happen, layOutPage, page, pretendDocument } from "./dom.ts";

const PAGES = process.env.BUFTRAIL_PAGES ?? "test/pages";
const LONGEST_LINE = 150;
/** What only styles or ties elements together. */
const UNSAID = new Set(["class", "id", "role", "tabindex", "type", "autocomplete", "spellcheck", "aria-labelledby", "scope", "aria-hidden", "data-value"]);

pretendDocument();
mock.timers.enable({ apis: ["setTimeout"] });

/** A page as the Java side writes it; see `PagesForWebTest`. */
export function pageJson(name: string): PageJson {
  return JSON.parse(readFileSync(join(PAGES, `${name}.json`), "utf8")) as PageJson;
}

function headOf(element: Fake): string {
  const style = element.attributes.get("class");
  const attributes = [...element.attributes].filter(([name]) => !UNSAID.has(name)).map(([name, value]) => (value === "" ? name : `${name}=${value}`));
  const styles = Object.entries(element.style).filter(([name, value]) => name !== "setProperty" && name !== "cursor" && value !== "").map(([name, value]) => `${name}:${value}`);
  const said = [...attributes, ...styles, ...(element.scrollTop > 0 ? [`scrolled to ${element.scrollTop}`] : [])];
  // Where it stands is what a list says.
  const at = element.tag === "li" && element.parent ? ` ${element.parent.children.indexOf(element) + 1}` : "";
  return `${element.tag}${at}${style ? `.${style.replaceAll(" ", ".")}` : ""}${said.length > 0 ? ` {${said.join(", ")}}` : ""}`;
}

/** An element in one line. */
function line(element: Fake): string {
  const inside = element.hidden ? [] : element.nodes.map((node) => (typeof node === "string" ? node : `<${line(node)}>`));
  return [headOf(element), ...inside].join(" ");
}

/** An element with all that is in it; what is hidden is named and not shown. */
export function shown(element: Fake, indent = "", unsaid: Fake | null = null): string[] {
  if (element === unsaid) {
    return [];
  }
  const whole = line(element);
  if (whole.length <= LONGEST_LINE || element.children.length === 0) {
    return [indent + whole];
  }
  return [indent + headOf(element), ...element.nodes.flatMap((node) => (typeof node === "string" ? [`${indent}  ${node}`] : shown(node, `${indent}  `, unsaid)))];
}

export class Visit {
  private readonly lines: string[] = [];
  /** What every part was before, so that only what changes is told. */
  private before: string[] = [];

  /** @param unsaid a part of the page that another visit tells */
  constructor(
    private readonly name: string,
    private readonly unsaid = "",
  ) {}

  /**
   * Makes the page, and waits until it has made what comes after.
   * @param isTold whether all of it is told, or only what changes later
   */
  async open(what: string, elements: () => HTMLElement[], hash = "", isTold = true): Promise<this> {
    location.hash = hash;
    page.replaceChildren(...(elements() as unknown as Fake[]));
    layOutPage();
    await this.settle();
    this.before = isTold ? [] : this.seen();
    this.tell(`opens ${what}`);
    return this;
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 60; i++) {
      await Promise.resolve();
      mock.timers.tick(i === 0 ? 160 : 1);
      layOutPage();
    }
  }

  /** Does something, and tells what has changed. */
  async does(what: string, act: () => void): Promise<void> {
    act();
    await this.settle();
    this.tell(what);
  }

  private tell(what: string): void {
    const now = this.seen();
    const known = new Map<string, number>();
    this.before.forEach((one) => known.set(one, (known.get(one) ?? 0) + 1));
    const news = now.filter((one) => {
      const left = known.get(one) ?? 0;
      known.set(one, left - 1);
      return left <= 0;
    });
    this.lines.push("", `# ${what}${location.hash === "" ? "" : ` ${decodeURIComponent(location.hash)}`}`, ...(news.length === 0 ? ["(nothing is new)"] : news));
    this.before = now;
  }

  private seen(): string[] {
    const unsaid = this.unsaid === "" ? null : page.querySelector(this.unsaid);
    return page.children.flatMap((child) => shown(child, "", unsaid)).concat(drawn(this.before.length === 0));
  }

  /** The page looks and does as the file says; or the file gets it, with `npm test -- --update`. */
  end(): void {
    const file = join(PAGES, `${this.name}.txt`);
    const text = `${this.lines.join("\n").trim()}\n`;
    if (process.env.BUFTRAIL_UPDATE) {
      writeFileSync(file, text);
    }
    assert.equal(text, readFileSync(file, "utf8"));
  }

  /** The first that a selector finds, or with `/2` the third. */
  one(wanted: string): Fake {
    const [selector, at = "0"] = wanted.split("/");
    const found = page.querySelectorAll(selector)[Number(at)];
    assert.ok(found, `${wanted} is not in the page`);
    return found;
  }

  /** The button, or another element, whose text begins so. */
  named(selector: string, text: string): Fake {
    const found = page.querySelectorAll(selector).find((one) => one.textContent.startsWith(text));
    assert.ok(found, `no ${selector} is called ${text}`);
    return found;
  }

  async clicks(text: string, selector = "button"): Promise<void> {
    await this.does(`clicks ${text}`, () => this.named(selector, text).click());
  }

  async opens(selector: string): Promise<void> {
    await this.does(`opens ${selector}`, () => (this.one(selector).open = true));
  }

  async types(text: string, selector = "#search"): Promise<void> {
    await this.does(`types ${text}`, () => {
      const input = selector === "#search" ? this.one(".search input") : this.one(selector);
      input.value = text;
      input.happen({ type: "input" });
    });
  }

  async presses(key: string, selector: string, more: Record<string, unknown> = {}): Promise<void> {
    await this.does(`presses ${[...Object.keys(more), key].join(" ")} at ${selector}`, () => this.one(selector).happen(event("keydown", { key, ...more })));
  }

  /** Presses a key where nothing has the focus. */
  async hits(key: string, more: Record<string, unknown> = {}): Promise<void> {
    await this.does(`hits ${[...Object.keys(more), key].join(" ")}`, () => happen(event("keydown", { key, ...more })));
  }

  async points(type: string, selector: string, clientX: number, clientY: number, more: Record<string, unknown> = {}): Promise<void> {
    await this.does(`${type} at ${clientX}, ${clientY} of ${selector}${more.deltaY === undefined ? "" : ` by ${more.deltaY}`}`, () => this.one(selector).happen(event(type, { clientX, clientY, button: 0, pointerId: 1, ...more })));
  }

  async goesTo(hash: string): Promise<void> {
    await this.does("goes back or forward to", () => {
      location.hash = hash;
      happen({ type: "popstate" });
    });
  }

  async window(type: string): Promise<void> {
    await this.does(type, () => happen({ type }));
  }
}

export function event(type: string, more: Record<string, unknown>): Happening {
  return { type, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, preventDefault() {}, ...more };
}

/** What is on all canvases, stroke by stroke or as a sum of all that is drawn. */
function drawn(inFull: boolean): string[] {
  return page.querySelectorAll("canvas").flatMap((canvas, i) => {
    const strokes = canvas.drawn.map((one) => `canvas ${i}: ${one}`);
    return inFull || strokes.length === 0 ? strokes : [`canvas ${i}: ${strokes.length} strokes, ${createHash("sha256").update(strokes.join("\n")).digest("hex").slice(0, 12)}`];
  });
}
