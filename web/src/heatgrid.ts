// What a heatmap draws: samples by a column of time and a part of that column.

/** How wide a column may be in time, in milliseconds. */
const STEPS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000, 21_600_000, 86_400_000];
/** The parts of a column: a second has parts of 20 ms. */
const PARTS = 50;
const DARKEST = 0.98;
const PALEST = 0.1;

export interface HeatGrid {
  /** Milliseconds of a column. */
  step: number;
  /** Milliseconds of a cell. */
  cell: number;
  columns: number;
  rows: number;
  /** Cells by column and row, each column from its first part on. */
  values: Float64Array;
  max: number;
}

/**
 * @param length milliseconds of all
 * @param grain milliseconds that samples are exact to
 * @param mostColumns for which there is room
 */
export function emptyGrid(length: number, grain: number, mostColumns: number): HeatGrid {
  const step = STEPS.find((one) => length / one <= mostColumns && one >= grain) ?? Math.ceil(length / mostColumns / grain) * grain;
  const fine = Math.max(grain, step / PARTS);
  // Whole grains, and a whole number of cells in a column.
  const cell = fine % grain === 0 && step % fine === 0 ? fine : wholeParts(step, grain, fine);
  const columns = Math.max(1, Math.ceil(length / step));
  const rows = Math.round(step / cell);
  return { step, cell, columns, rows, values: new Float64Array(columns * rows), max: 0 };
}

function wholeParts(step: number, grain: number, atLeast: number): number {
  for (let parts = Math.floor(step / atLeast); parts > 1; parts--) {
    const cell = step / parts;
    if (cell % grain === 0) {
      return cell;
    }
  }
  return step;
}

export function addTo(grid: HeatGrid, time: number, value: number): void {
  const at = Math.floor(time / grid.cell);
  if (at < grid.values.length) {
    grid.values[at] += value;
    grid.max = Math.max(grid.max, grid.values[at]);
  }
}

/** What the darkest cells have: a few that have far more than all others would leave these pale. */
export function darkest(grid: HeatGrid): number {
  const filled = grid.values.filter((value) => value > 0).sort();
  return filled.length === 0 ? 0 : filled[Math.floor((filled.length - 1) * DARKEST)];
}

/** How dark a cell is, from 0 to 1: few can be told from none. */
export function darkness(value: number, full: number): number {
  return value <= 0 ? 0 : PALEST + (1 - PALEST) * Math.min(1, value / full);
}
