// One path in full, above the page.
import { el } from "./dom.ts";
import { histograms } from "./histogram.ts";
import type { Model, State } from "./model.ts";
import { actions, fates, groupOf, hopsTable } from "./path.ts";
import { guarded } from "./section.ts";

export class PathDialog {
  readonly element = el("dialog", { class: "path-dialog", "aria-label": "Path" });

  /** @param onZoom after the dialog has closed */
  constructor(private readonly onZoom: (node: number, state: State) => void) {}

  open(model: Model, path: number): void {
    const { element } = this;
    const close = el("button", { type: "button", class: "close", "aria-label": "Close", click: () => element.close() }, "×");
    element.replaceChildren(close, ...guarded("Path", () => this.path(model, path)));
    element.showModal();
  }

  private path(model: Model, path: number): HTMLElement[] {
    const { node, leaked, live } = model.paths;
    const state: State = leaked[path] > 0 ? "leaked" : live[path] > 0 ? "live" : "allocated";
    const zoom = (at: number) => {
      this.element.close();
      this.onZoom(at, state);
    };
    return [el("h2", {}, model.shortEnd(node[path])), fates(model, path), ...groupOf(model, path), ...histograms(model, path), hopsTable(model, path), actions(model, path, zoom)];
  }
}
