// Draws laid out frames onto a canvas.
import type { Box, Layout } from "./layout.ts";
import type { Palette } from "./palette.ts";
import type { View } from "./view.ts";

export const ROW = 22;
const PADDING = 4;
const FADED = 0.3;
const ABOVE = 0.6;

/** What is drawn, beside the boxes. */
export interface Picture {
  view: View;
  layout: Layout;
  palette: Palette;
  /** The text of a box, whole. */
  name(box: Box): string;
  /** Whether a frame matches the search; null without a search. */
  isHit: ((box: Box) => boolean) | null;
  cursor: Box | undefined;
  hovered: Box | undefined;
  /** Whether the first row is the lowest. */
  flipped: boolean;
}

/** The upper edge of a row. */
export function top(picture: { layout: Layout; flipped: boolean }, row: number): number {
  return (picture.flipped ? picture.layout.rows - 1 - row : row) * ROW;
}

let character = 0;

/** @param from the part of the picture that the canvas shows: it begins there, and is as high as the canvas */
export function paint(canvas: HTMLCanvasElement, picture: Picture, width: number, from: number, height: number, density: number): void {
  const { theme } = picture.palette;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.setTransform(density, 0, 0, density, 0, -from * density);
  context.font = `12px ${theme.mono}`;
  context.textBaseline = "middle";
  character = context.measureText("0").width;
  for (const box of picture.layout.boxes) {
    const y = top(picture, box.row);
    if (y + ROW > from && y < from + height) {
      drawBox(context, picture, box, y);
    }
  }
  outline(context, picture, picture.hovered, theme.text, 1);
  outline(context, picture, picture.cursor, theme.accent, 3);
}

function outline(context: CanvasRenderingContext2D, picture: Picture, box: Box | undefined, colour: string, width: number): void {
  if (box) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(box.x + width / 2, top(picture, box.row) + width / 2, Math.max(box.width - width - 0.6, 1), ROW - 1 - width);
  }
}

function drawBox(context: CanvasRenderingContext2D, picture: Picture, box: Box, y: number): void {
  const { palette, view } = picture;
  const { theme } = palette;
  const width = Math.max(box.width - 0.6, 0.6);
  const isPlain = box.folded > 0 || box.node < 0;
  const isHit = picture.isHit?.(box) ?? false;
  context.fillStyle = box.folded > 0 ? theme.line : box.node < 0 ? theme.all : palette.colour(view, box.node);
  context.globalAlpha = picture.isHit && !isHit && box.node >= 0 ? FADED : box.above ? ABOVE : 1;
  context.fillRect(box.x, y, width, ROW - 1);
  if (!isPlain && width > 3 && palette.isHatched(view, box.node)) {
    hatch(context, box.x, y, width, theme.frameText);
  }
  context.globalAlpha = 1;
  if (isHit) {
    context.strokeStyle = theme.hit;
    context.lineWidth = 2;
    context.strokeRect(box.x + 1, y + 1, Math.max(width - 2, 0.6), ROW - 3);
  }
  const room = Math.floor((width - 2 * PADDING) / character);
  if (room >= 3) {
    const text = picture.name(box);
    context.fillStyle = isPlain ? theme.text : theme.frameText;
    context.fillText(shortened(text, room), box.x + PADDING, y + ROW / 2);
  }
}

/** Drops the class first where there is no room for both, since the method says more. */
export function shortened(text: string, room: number): string {
  if (text.length <= room) {
    return text;
  }
  const method = text.lastIndexOf(".");
  const bare = method > 0 && !text.includes(" ") ? text.slice(method + 1) : text;
  return bare.length <= room - 1 ? `…${text.slice(text.length - room + 1)}` : `${bare.slice(0, room - 1)}…`;
}

function hatch(context: CanvasRenderingContext2D, x: number, y: number, width: number, colour: string): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, ROW - 1);
  context.clip();
  context.globalAlpha = 0.25;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x - ROW; at < x + width; at += 6) {
    context.moveTo(at, y + ROW);
    context.lineTo(at + ROW, y);
  }
  context.stroke();
  context.restore();
}
