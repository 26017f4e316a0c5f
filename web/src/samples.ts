// Samples by thread, trace and time, for the filters and the heatmap of a recording's page.
import type { Model } from "./model.ts";
import type { ProfileJson, SamplesJson } from "./pagejson.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
const MORE = 1 << BITS;
const VALUE_OF = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) {
  VALUE_OF[DIGITS.charCodeAt(i)] = i;
}

/** Numbers from text: five bits a character, the low ones first, and a sixth bit where more follow. */
export function unpacked(text: string): Float64Array {
  const numbers = new Float64Array(text.length);
  let size = 0;
  let factor = 1;
  for (let i = 0; i < text.length; i++) {
    const digit = VALUE_OF[text.charCodeAt(i)];
    numbers[size] += (digit & (MORE - 1)) * factor;
    // Not a shift: values have more than 32 bits.
    factor *= MORE;
    if (digit < MORE) {
      size++;
      factor = 1;
    }
  }
  return numbers.slice(0, size);
}

/** The rows of one kind, in the order of time. */
export class SampleRows {
  readonly size: number;
  /** The milliseconds of one step of time; 0 where no times are known. */
  readonly grain: number;
  /** Milliseconds after the start of all samples. */
  readonly time: Float64Array;
  readonly node: Int32Array;
  readonly thread: Int32Array;
  /** The number of the trace. */
  readonly trace: Int32Array;
  readonly values: Float64Array[];

  /** @param nodes how many there are */
  constructor(json: SamplesJson, nodes: number) {
    this.node = Int32Array.from(unpacked(json.stack), (number) => json.stacks[number] ?? -1);
    this.thread = Int32Array.from(unpacked(json.thread));
    this.size = this.node.length;
    this.trace = json.trace === undefined ? new Int32Array(this.size) : Int32Array.from(unpacked(json.trace));
    this.grain = json.grain ?? 0;
    this.time = json.time === undefined ? new Float64Array(this.size) : unpacked(json.time);
    for (let i = 0, at = 0; i < this.size; i++) {
      at += this.time[i] * this.grain;
      this.time[i] = at;
    }
    this.values = json.values.map(unpacked);
    this.check(nodes);
  }

  /** One row that is off would give the value of one stack to another. */
  private check(nodes: number): void {
    const columns = [this.thread, this.trace, this.time, ...this.values];
    if (columns.some((column) => column.length !== this.size) || this.node.some((node) => !(node >= 0 && node < nodes))) {
      throw new Error("the columns of the samples do not fit together");
    }
  }
}

export class AllSamples {
  private readonly rows = new Map<number, SampleRows>();

  constructor(private readonly model: Model) {}

  /**
   * The rows of a profile; null for one that has none.
   * @throws Error when they cannot be read: what needs them says so, and what does not goes on
   */
  of(profile: ProfileJson): SampleRows | null {
    return profile.samples === undefined ? null : this.at(profile.samples);
  }

  private at(index: number): SampleRows {
    let rows = this.rows.get(index);
    if (rows === undefined) {
      rows = new SampleRows(this.json[index], this.model.json.nodes.up.length);
      this.rows.set(index, rows);
    }
    return rows;
  }

  private get json(): SamplesJson[] {
    return this.model.json.samples ?? [];
  }

  values(profile: ProfileJson): Float64Array {
    return (this.of(profile) as SampleRows).values[profile.column ?? 0];
  }

  /** When the first sample was taken, in milliseconds since the epoch. */
  get start(): number {
    return this.model.json.start ?? 0;
  }

  /** By number; one without a name is empty. */
  get threads(): string[] {
    return this.model.json.threads ?? [];
  }

  /** Labels by number: the first means none, the last, if needed, all that are not listed. */
  get traces(): string[] {
    return this.model.json.traces ?? [];
  }

  /** Whether samples of any kind have times. */
  get hasTimes(): boolean {
    return this.json.some(({ grain = 0 }) => grain > 0);
  }

  /** Milliseconds from the first sample to the end of the last of all kinds. */
  get length(): number {
    const all = this.json.map((_, index) => this.at(index));
    return Math.max(0, ...all.map((rows) => (rows.size > 0 && rows.grain > 0 ? rows.time[rows.size - 1] + rows.grain : 0)));
  }
}
