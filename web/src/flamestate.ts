// How a flame graph is looked at, kept in the address of the page.
import type { Model } from "./model.ts";
import type { ColourBy } from "./palette.ts";
import type { Change } from "./projection.ts";
import { setState, stateOf, statesOf } from "./state.ts";

/** From the top down, from the bottom up, or the callers and callees of one function. */
export type Way = "down" | "up" | "calls";

export class FlameState {
  way: Way = "down";
  /** The index of the name of the function whose calls are shown; -1 for none. */
  fn = -1;
  change: Change = { hidden: new Set(), only: -1, recursion: false, root: -1 };
  colour: ColourBy;
  mainZoom = "";
  callersZoom = "";

  constructor(
    private readonly model: Model,
    private readonly colours: readonly ColourBy[],
  ) {
    this.colour = colours[0];
    this.read();
  }

  /** Reads the state from the address. */
  read(): void {
    const { names } = this.model.json;
    const index = (name: string) => (name === "" ? -1 : names.indexOf(name));
    const way = stateOf("stacks");
    this.fn = index(stateOf("calls"));
    this.way = this.fn >= 0 ? "calls" : way === "up" ? way : "down";
    this.change = {
      hidden: new Set(statesOf("hide").map(index).filter((name) => name >= 0)),
      only: index(stateOf("only")),
      recursion: stateOf("recursion") === "merged",
      root: -1,
    };
    const colour = stateOf("colour");
    this.colour = this.colours.find((one) => one === colour) ?? this.colours[0];
    this.mainZoom = stateOf("zoom");
    this.callersZoom = stateOf("callers");
  }

  /** The same for stacks that are changed alike; empty where they are as they were. */
  get key(): string {
    const { hidden, only, recursion } = this.change;
    return hidden.size === 0 && only < 0 && !recursion ? "" : `${[...hidden].sort()} ${only} ${recursion}`;
  }

  look(way: Way): void {
    this.way = way;
    this.fn = way === "calls" ? this.fn : -1;
    this.write("", "");
  }

  callsOf(name: number): void {
    this.way = "calls";
    this.fn = name;
    this.write("", "");
  }

  onlyThrough(name: number): void {
    this.change = { ...this.change, only: name };
    this.write("", "");
  }

  hide(name: number, hidden: boolean): void {
    const all = new Set(this.change.hidden);
    if (hidden) {
      all.add(name);
    } else {
      all.delete(name);
    }
    this.change = { ...this.change, hidden: all };
    this.write("", "");
  }

  toggleRecursion(): void {
    this.change = { ...this.change, recursion: !this.change.recursion };
    this.write("", "");
  }

  colourBy(colour: ColourBy): void {
    this.colour = colour;
    this.write(this.mainZoom, this.callersZoom);
  }

  /** Stacks are shown as they are, from the top down. */
  asIs(): void {
    this.way = "down";
    this.fn = -1;
    this.change = { hidden: new Set(), only: -1, recursion: false, root: -1 };
  }

  zoom(main: string, callers: string): void {
    this.write(main, callers);
  }

  private write(main: string, callers: string): void {
    const { names } = this.model.json;
    this.mainZoom = main;
    this.callersZoom = callers;
    setState(
      {
        stacks: this.way === "up" ? "up" : "",
        calls: this.fn < 0 ? "" : names[this.fn],
        only: this.change.only < 0 ? "" : names[this.change.only],
        hide: [...this.change.hidden].map((name) => names[name]),
        recursion: this.change.recursion ? "merged" : "",
        colour: this.colour === this.colours[0] ? "" : this.colour,
        zoom: main,
        callers,
      },
      true,
    );
  }
}
