// As much of a document as sections are made of, for tests that read what these say.
class Fake {
  readonly attributes = new Map<string, string>();
  readonly children: (Fake | string)[] = [];
  readonly style: Record<string, string | ((name: string, value: string) => void)> = { setProperty: () => {} };
  readonly classList = { toggle: () => {} };
  readonly handlers = new Map<string, () => void>();
  value = "";
  clientHeight = 0;
  scrollTop = 0;

  constructor(readonly tag: string) {}

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  addEventListener(type: string, handler: () => void): void {
    this.handlers.set(type, handler);
  }

  contains(): boolean {
    return false;
  }

  querySelectorAll(): Fake[] {
    return [];
  }

  /** Stands for an element of the page, which this one is not in. */
  replaceWith(): void {}

  append(...more: (Fake | string)[]): void {
    this.children.push(...more);
  }

  replaceChildren(...others: (Fake | string)[]): void {
    this.children.splice(0, Infinity, ...others);
  }

  set textContent(text: string) {
    this.replaceChildren(text);
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === "string" ? child : child.textContent)).join("");
  }
}

/** Makes elements possible; to be called before a section is made. */
export function pretendDocument(): void {
  Object.assign(globalThis, {
    document: { createElement: (tag: string) => new Fake(tag), getElementById: () => null },
    addEventListener: () => {},
    location: { hash: "" },
    ResizeObserver: class {
      observe(): void {}
    },
  });
}

/** The elements in an element with a tag, or with a class if it begins with a point, in order. */
export function all(root: HTMLElement, wanted: string): HTMLElement[] {
  const found: Fake[] = [];
  const search = (at: Fake) => {
    for (const child of at.children) {
      if (typeof child !== "string") {
        const classes = (child.attributes.get("class") ?? "").split(" ");
        if (wanted.startsWith(".") ? classes.includes(wanted.slice(1)) : child.tag === wanted) {
          found.push(child);
        }
        search(child);
      }
    }
  };
  search(root as unknown as Fake);
  return found as unknown as HTMLElement[];
}

export function texts(root: HTMLElement, wanted: string): string[] {
  return all(root, wanted).map((element) => element.textContent ?? "");
}

/** Does what an element does on an event. */
export function fire(element: HTMLElement, type: string): void {
  (element as unknown as Fake).handlers.get(type)?.();
}

export function width(element: HTMLElement): string {
  return element.style.width;
}
