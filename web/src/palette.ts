// The colours of frames, and what they mean.
import type { Model, Series } from "./model.ts";
import type { View } from "./view.ts";

export type ColourBy = "package" | "type" | "memory" | "change";

export interface LegendEntry {
  name: string;
  colour: string;
  /** Its share of what is drawn, or -1 where that says nothing. */
  part: number;
}

/** What else is said of frames: how they changed. */
export interface Shading {
  /** The series that follow the drawn one in a view. */
  sides(): Series[];
  /** From -1, gone, to 1, new. */
  change(view: View, node: number): number;
  /** A prefix for the name of a frame; empty for most. */
  mark(view: View, node: number): string;
  /** Follows what is said of a frame; node -1 is everything. */
  words(view: View, node: number): string;
}

/** Below this share of the larger side, a difference is drawn as none. */
export const SMALLEST_CHANGE = 0.005;
const LEGEND = 8;
const TYPES: Record<string, [string, number]> = {
  jvm: ["Java", 150],
  compiled: ["compiled", 125],
  "compiled by C1": ["compiled by C1", 95],
  inlined: ["inlined", 190],
  interpreted: ["interpreted", 235],
  "native method": ["native method", 320],
  native: ["native", 45],
  "C++": ["C++", 66],
  kernel: ["kernel", 18],
};
const OTHER_TYPE = 275;

const PAPER: Record<string, string> = {
  "--text": "#000",
  "--frame-text": "#000",
  "--all": "#e5e5e5",
  "--panel": "#fff",
  "--heat": "#a3170f",
  "--line": "#c8c8c8",
  "--same": "#e5e5e5",
  "--frame-s": "45%",
  "--frame-l": "84%",
};

/** As CSS says it now, light or dark; or for paper. */
export class Theme {
  private readonly style = getComputedStyle(document.documentElement);
  readonly text: string;
  readonly frameText: string;
  readonly all: string;
  readonly panel: string;
  readonly heat: string;
  readonly line: string;
  readonly hit: string;
  readonly accent: string;
  readonly grew: string;
  readonly shrank: string;
  readonly same: string;
  readonly mono: string;
  private readonly saturation: string;
  private readonly lightness: number;

  constructor(private readonly paper: boolean) {
    this.text = this.of("--text");
    this.frameText = this.of("--frame-text");
    this.all = this.of("--all");
    this.panel = this.of("--panel");
    this.heat = this.of("--heat");
    this.line = this.of("--line");
    this.hit = this.of("--hit");
    this.accent = this.of("--accent");
    this.grew = this.of("--grew");
    this.shrank = this.of("--shrank");
    this.same = this.of("--same");
    this.mono = this.of("--mono");
    this.saturation = this.of("--frame-s");
    this.lightness = Number.parseFloat(this.of("--frame-l"));
  }

  private of(name: string): string {
    return (this.paper && PAPER[name]) || this.style.getPropertyValue(name).trim();
  }

  hue(hue: number, shift = 0): string {
    return `hsl(${hue.toFixed(0)} ${this.saturation} ${this.lightness + shift}%)`;
  }
}

/** Colours for one way to colour; made anew where the theme changes. */
export class Palette {
  private readonly byKey = new Map<string, string>();

  constructor(
    private readonly model: Model,
    private readonly by: ColourBy,
    private readonly shading: Shading | null,
    readonly theme: Theme,
  ) {}

  /** The same on paper. */
  printed(): Palette {
    return new Palette(this.model, this.by, this.shading, new Theme(true));
  }

  colour(view: View, node: number): string {
    if (this.by === "change" && this.shading) {
      return this.changed(this.shading.change(view, node));
    }
    return this.ofKey(this.key(view, node));
  }

  private changed(part: number): string {
    const { grew, shrank, same } = this.theme;
    if (Math.abs(part) < SMALLEST_CHANGE) {
      return same;
    }
    return `color-mix(in srgb, ${part > 0 ? grew : shrank} ${Math.round(35 + 65 * Math.abs(part))}%, ${same})`;
  }

  /** Whether a frame is hatched, which greyscale keeps. */
  isHatched(view: View, node: number): boolean {
    return this.by === "change" && this.shading !== null && this.shading.change(view, node) <= -SMALLEST_CHANGE;
  }

  private key(view: View, node: number): string {
    switch (this.by) {
      case "memory":
        return this.model.memoryOf(view.origin(node));
      case "type":
        return this.model.frameType(view.frame(node));
      default:
        return packageOf(this.model, view.frame(node));
    }
  }

  private ofKey(key: string): string {
    let colour = this.byKey.get(key);
    if (colour === undefined) {
      colour = this.made(key);
      this.byKey.set(key, colour);
    }
    return colour;
  }

  private made(key: string): string {
    if (this.by === "memory") {
      return key === "direct" ? this.theme.hue(28) : key === "heap" ? this.theme.hue(215) : key === "resource" ? this.theme.hue(275) : this.theme.same;
    }
    if (this.by === "type") {
      return this.theme.hue(TYPES[key]?.[1] ?? OTHER_TYPE);
    }
    const spread = (hash(key) >>> 8) % 1000;
    const [from, range] = key === "kernel" ? [20, 15] : key === "native" ? [45, 12] : key === "C++" ? [62, 12] : [80, 250];
    return this.theme.hue(from + (spread * range) / 1000, (spread % 7) - 3);
  }

  /** What the colours mean, the largest first. */
  legend(view: View): LegendEntry[] {
    if (this.by === "change") {
      return [];
    }
    const parts = new Map<string, number>();
    const sum = view.total(-1);
    const count = view.size ?? 0;
    for (let node = 0; node < count; node++) {
      const value = view.self(node);
      if (value > 0) {
        const key = this.key(view, node);
        parts.set(key, (parts.get(key) ?? 0) + value);
      }
    }
    return [...parts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, LEGEND)
      .map(([key, value]) => ({ name: this.label(key), colour: this.ofKey(key), part: sum > 0 ? value / sum : 0 }));
  }

  private label(key: string): string {
    return this.by === "type" ? (TYPES[key]?.[0] ?? (key || "unknown")) : key || "no package";
  }
}

function packageOf(model: Model, frame: number): string {
  const type = model.frameType(frame);
  if (!model.isJava(frame)) {
    return type;
  }
  const name = model.frameName(frame);
  // The class begins at the first name that is not all lower case.
  const found = /^((?:[a-z0-9_]+\.)*[a-z0-9_]+)\.[^a-z]/.exec(name);
  return found ? found[1] : "";
}

function hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash;
}
