// The whole graph in a few pixels, above what is zoomed to, with the part that is shown.
import { el } from "./dom.ts";
import { type Box, EVERYTHING, type Focus, focusOf, type Layout, layOut, pathTo } from "./layout.ts";
import type { Palette } from "./palette.ts";
import type { View } from "./view.ts";

const ROW = 3;
const ROWS = 14;

export class Minimap {
  /** The keyboard has the graph itself, and a key for all of it. */
  readonly element = el("div", { class: "minimap", title: "All of it; click to zoom to a part", "aria-hidden": "true", hidden: true });
  private readonly canvas = el("canvas");
  private readonly frame = el("div", { class: "minimap-part" });
  private layout: Layout = { boxes: [], rows: 0, cut: false };
  private view: View | null = null;
  private palette: Palette | null = null;
  private width = 0;

  constructor(onZoom: (focus: Focus) => void) {
    this.element.append(this.canvas, this.frame);
    this.element.addEventListener("click", (event) => {
      const box = this.boxAt(event);
      if (box) {
        onZoom(focusOf(box));
      }
    });
  }

  /** Shows where `focus` is in a view, unless that is all of it. */
  show(view: View, palette: Palette, focus: Focus, width: number): void {
    const isWhole = focus.node < 0 && focus.to === 0;
    this.element.hidden = isWhole || width === 0;
    if (this.element.hidden) {
      return;
    }
    if (this.view !== view || this.palette !== palette || this.width !== width) {
      this.view = view;
      this.palette = palette;
      this.width = width;
      this.layout = layOut(view, EVERYTHING, width);
      this.paint(view, palette);
    }
    const part = this.part(view, focus);
    this.frame.style.left = `${part.x}px`;
    this.frame.style.width = `${Math.max(3, part.width)}px`;
  }

  /** The narrowest frame on the way to what is zoomed to that is drawn here. */
  private part(view: View, focus: Focus): Box {
    const { boxes } = this.layout;
    for (const node of pathTo(view, focus.node).reverse()) {
      const box = boxes.find((one) => one.node === node && one.folded === 0);
      if (box) {
        return box;
      }
    }
    return boxes[0];
  }

  private paint(view: View, palette: Palette): void {
    const height = Math.min(ROWS, this.layout.rows) * ROW;
    const scale = devicePixelRatio;
    this.canvas.width = this.width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    context.scale(scale, scale);
    for (const box of this.layout.boxes) {
      if (box.row < ROWS) {
        context.fillStyle = box.folded > 0 || box.node < 0 ? palette.theme.all : palette.colour(view, box.node);
        context.fillRect(box.x, box.row * ROW, box.width, ROW - 0.5);
      }
    }
  }

  private boxAt(event: MouseEvent): Box | undefined {
    const { left, top } = this.element.getBoundingClientRect();
    const row = Math.floor((event.clientY - top) / ROW);
    const x = event.clientX - left;
    const above = this.layout.boxes.filter((box) => box.row <= row && box.x <= x && x < box.x + box.width);
    return above[above.length - 1];
  }
}
