// As much of a document as pages are made of, for tests that read what these say and do to them what people do.

type Handler = (event: Event) => void;
type Inside = Fake | string;

/** An event as handlers get it; what is not given is not there. */
export interface Happening {
  type: string;
  target?: unknown;
  defaultPrevented?: boolean;
  [more: string]: unknown;
}

/** What a canvas was told to draw, a line for each call. */
class Canvas {
  readonly drawn: string[] = [];
  fillStyle = "";
  strokeStyle = "";
  lineWidth = 1;
  globalAlpha = 1;
  font = "";
  textAlign = "";
  textBaseline = "";
  private readonly kept: number[] = [];

  private note(what: string, colour: string, ...figures: (number | string)[]): void {
    const shown = figures.map((figure) => (typeof figure === "number" ? String(Math.round(figure * 10) / 10) : figure));
    const alpha = this.globalAlpha === 1 ? "" : ` at ${Math.round(this.globalAlpha * 100)} %`;
    this.drawn.push(`${what} ${shown.join(" ")} in ${colour}${alpha}`);
  }

  fillRect(...figures: number[]): void {
    this.note("fill", this.fillStyle, ...figures);
  }

  strokeRect(...figures: number[]): void {
    this.note(`frame of ${this.lineWidth}`, this.strokeStyle, ...figures);
  }

  fillText(text: string, x: number, y: number): void {
    this.note(`"${text}"`, this.fillStyle, x, y, this.textAlign);
  }

  moveTo(...figures: number[]): void {
    this.note("from", this.strokeStyle, ...figures);
  }

  lineTo(...figures: number[]): void {
    this.note("to", this.strokeStyle, ...figures);
  }

  setTransform(...figures: number[]): void {
    this.drawn.length = 0;
    this.note("page", "", ...figures);
  }

  scale(x: number, y: number): void {
    this.setTransform(x, y);
  }

  measureText(text: string): { width: number } {
    return { width: 7 * text.length };
  }

  save(): void {
    this.kept.push(this.globalAlpha);
  }

  restore(): void {
    this.globalAlpha = this.kept.pop() ?? 1;
  }

  rect(): void {}
  clip(): void {}
  beginPath(): void {}
  stroke(): void {}
}

const BOOLEANS = ["hidden", "open", "checked", "disabled"] as const;

export class Fake {
  readonly attributes = new Map<string, string>();
  nodes: Inside[] = [];
  parent: Fake | null = null;
  readonly style: Record<string, string | ((name: string, value: string) => void)> = { setProperty: (name: string, value: string) => (this.style[name] = value) };
  readonly dataset: Record<string, string>;
  readonly classList = { toggle: (name: string, on: boolean) => this.setClass(name, on), add: (name: string) => this.setClass(name, true) };
  private readonly handlers = new Map<string, Handler[]>();
  private canvas: Canvas | null = null;
  value = "";
  returnValue = "";
  clientWidth = 1_000;
  clientHeight = 320;
  clientLeft = 0;
  offsetWidth = 200;
  offsetHeight = 100;
  scrollTop = 0;
  declare hidden: boolean;
  declare open: boolean;

  constructor(readonly tag: string) {
    const { attributes } = this;
    this.dataset = new Proxy({}, { get: (_, name) => attributes.get(`data-${String(name)}`), set: (_, name, value) => (attributes.set(`data-${String(name)}`, value), true) });
  }

  private setClass(name: string, on: boolean): void {
    const others = (this.attributes.get("class") ?? "").split(" ").filter((one) => one !== "" && one !== name);
    this.setAttribute("class", [...others, ...(on ? [name] : [])].join(" "));
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
    if (name === "value") {
      this.value = value;
    }
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  addEventListener(type: string, handler: Handler): void {
    this.handlers.set(type, [...(this.handlers.get(type) ?? []), handler]);
  }

  /** Does what this element and those around it do. */
  happen(event: Happening): void {
    event.target ??= this;
    for (let at: Fake | null = this; at; at = at.parent) {
      event.currentTarget = at;
      for (const handler of at.handlers.get(event.type) ?? []) {
        handler(event as unknown as Event);
      }
      if (["toggle", "close", "scroll", "focus", "blur"].includes(event.type)) {
        return;
      }
    }
  }

  click(): void {
    this.happen({ type: "click" });
  }

  get children(): Fake[] {
    return this.nodes.filter((node): node is Fake => typeof node !== "string");
  }

  get childElementCount(): number {
    return this.children.length;
  }

  get firstElementChild(): Fake | undefined {
    return this.children[0];
  }

  get isConnected(): boolean {
    return this === page || (this.parent?.isConnected ?? false);
  }

  append(...more: (Inside | null)[]): void {
    for (const one of more) {
      if (one instanceof Fake) {
        one.remove();
        one.parent = this;
      }
      this.nodes.push(one ?? "null");
    }
  }

  remove(): void {
    if (this.parent) {
      this.parent.nodes = this.parent.nodes.filter((node) => node !== this);
      this.parent = null;
    }
  }

  replaceWith(...others: Fake[]): void {
    const { parent } = this;
    if (parent) {
      const at = parent.nodes.indexOf(this);
      this.remove();
      others.forEach((one) => (one.parent = parent));
      parent.nodes.splice(at, 0, ...others);
    }
  }

  replaceChildren(...others: Inside[]): void {
    this.children.forEach((child) => (child.parent = null));
    this.nodes = [];
    this.append(...others);
  }

  contains(other: Fake | null): boolean {
    return other !== null && (other === this || this.contains(other.parent));
  }

  /** Takes tags, ids, classes and attributes, one within the other. */
  querySelectorAll(selector: string): Fake[] {
    const [first, ...rest] = selector.split(" ");
    const found = descendants(this).filter((element) => element.matches(first));
    return rest.length === 0 ? found : [...new Set(found.flatMap((element) => element.querySelectorAll(rest.join(" "))))];
  }

  querySelector(selector: string): Fake | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  private matches(selector: string): boolean {
    const [, tag, id, style, attribute, value] = /^(\w*)(?:#([\w-]+))?(?:\.([\w-]+))?(?:\[([\w-]+)(?:=(\w+))?\])?$/.exec(selector) ?? [];
    const has = attribute === undefined || (value === undefined ? this.attributes.has(attribute) : this.attributes.get(attribute) === value);
    return (tag === "" || tag === this.tag) && (id === undefined || id === this.id) && (style === undefined || (this.attributes.get("class") ?? "").split(" ").includes(style)) && has;
  }

  getBoundingClientRect(): { left: number; top: number; bottom: number; width: number; height: number } {
    return { left: 0, top: 0, bottom: this.clientHeight, width: this.clientWidth, height: this.clientHeight };
  }

  getContext(): Canvas {
    return (this.canvas ??= new Canvas());
  }

  get drawn(): string[] {
    return this.canvas?.drawn ?? [];
  }

  focus(): void {
    const before = focused;
    focused = this;
    before?.happen({ type: "blur" });
    this.happen({ type: "focus" });
  }

  scrollIntoView(): void {}
  setPointerCapture(): void {}

  showModal(): void {
    this.open = true;
  }

  close(answer = ""): void {
    this.returnValue = answer;
    this.open = false;
    this.happen({ type: "close" });
  }

  get id(): string {
    return this.attributes.get("id") ?? "";
  }

  get title(): string {
    return this.attributes.get("title") ?? "";
  }

  set title(text: string) {
    this.attributes.set("title", text);
  }

  set textContent(text: string) {
    this.replaceChildren(text);
  }

  get textContent(): string {
    return this.nodes.map((child) => (typeof child === "string" ? child : child.textContent)).join("");
  }
}

for (const name of BOOLEANS) {
  Object.defineProperty(Fake.prototype, name, {
    get(this: Fake) {
      return this.attributes.has(name);
    },
    set(this: Fake, on: boolean) {
      const before = this.attributes.has(name);
      if (on) {
        this.attributes.set(name, "");
      } else {
        this.attributes.delete(name);
      }
      if (name === "open" && this.tag === "details" && before !== on) {
        this.happen({ type: "toggle" });
      }
    },
  });
}

function descendants(root: Fake): Fake[] {
  return root.children.flatMap((child) => [child, ...descendants(child)]);
}

export const page = new Fake("body");
let focused: Fake | null = null;
const ofWindow = new Map<string, Handler[]>();
const resized: (() => void)[] = [];
const kept = new Map<string, string>();

/** Does what the window does on an event. */
export function happen(event: Happening): void {
  event.target ??= page;
  for (const handler of ofWindow.get(event.type) ?? []) {
    handler(event as unknown as Event);
  }
}

/** Tells of the sizes of what has come, as a browser does once it is laid out. */
export function layOutPage(): void {
  resized.splice(0).forEach((tell) => tell());
}

/** Makes elements possible; to be called before a section is made. */
export function pretendDocument(): void {
  const address = { hash: "", pathname: "/", search: "" };
  const goTo = (_: unknown, __: string, to: string) => (address.hash = to.includes("#") ? to.slice(to.indexOf("#")) : "");
  const isTag = (tag: string) => class {
    static [Symbol.hasInstance](one: unknown): boolean {
      return one instanceof Fake && one.tag === tag;
    }
  };
  const html = new Fake("html");
  Object.assign(globalThis, {
    window: globalThis,
    document: {
      body: page,
      documentElement: html,
      title: "",
      hidden: false,
      createElement: (tag: string) => new Fake(tag),
      createElementNS: (_: string, tag: string) => new Fake(tag),
      getElementById: (id: string) => descendants(page).find((one) => one.id === id) ?? null,
      querySelector: (selector: string) => page.querySelector(selector),
      get activeElement() {
        return focused;
      },
    },
    addEventListener: (type: string, handler: Handler) => ofWindow.set(type, [...(ofWindow.get(type) ?? []), handler]),
    removeEventListener: (type: string, handler: Handler) => ofWindow.set(type, (ofWindow.get(type) ?? []).filter((one) => one !== handler)),
    dispatchEvent: (event: Event) => happen({ type: event.type }),
    location: address,
    history: { pushState: goTo, replaceState: goTo },
    matchMedia: () => ({ matches: false, addEventListener: () => {} }),
    getComputedStyle: () => ({ paddingLeft: "10px", paddingRight: "10px", getPropertyValue: (name: string) => ({ "--frame-s": "60%", "--frame-l": "80%" })[name] ?? name.slice(2) }),
    localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) },
    innerWidth: 1_280,
    innerHeight: 800,
    scrollY: 0,
    devicePixelRatio: 1,
    HTMLInputElement: isTag("input"),
    HTMLTextAreaElement: isTag("textarea"),
    HTMLSelectElement: isTag("select"),
    ResizeObserver: class {
      constructor(private readonly tell: () => void) {}

      observe(): void {
        resized.push(this.tell);
      }
    },
  });
  Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText: (text: string) => (kept.set("clipboard", text), Promise.resolve()) } }, configurable: true });
}

/** What was copied last. */
export function copied(): string {
  return kept.get("clipboard") ?? "";
}

/** The elements in an element with a tag, or with a class if it begins with a point, in order. */
export function all(root: HTMLElement, wanted: string): HTMLElement[] {
  return (root as unknown as Fake).querySelectorAll(wanted) as unknown as HTMLElement[];
}

export function texts(root: HTMLElement, wanted: string): string[] {
  return all(root, wanted).map((element) => element.textContent ?? "");
}

/** Does what an element does on an event. */
export function fire(element: HTMLElement, type: string): void {
  (element as unknown as Fake).happen({ type });
}

export function width(element: HTMLElement): string {
  return element.style.width;
}
