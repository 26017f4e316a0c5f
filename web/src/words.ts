// Figures as people read them; the same wording as the text reports.
import { format } from "d3-format";

const BYTE_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const grouped = format(",d");
const oneDecimal = format(",.1f");

export function count(n: number): string {
  return grouped(n);
}

export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function bytes(n: number): string {
  if (n < 1024) {
    return `${n} B`;
  }
  let unit = -1;
  let value = n;
  do {
    value /= 1024;
    unit++;
  } while (value >= 1023.95 && unit < BYTE_UNITS.length - 1);
  return `${oneDecimal(value)} ${BYTE_UNITS[unit]}`;
}

const NANO_UNITS: [number, string][] = [
  [3_600e9, "h"],
  [60e9, "min"],
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
];

export function nanoseconds(n: number): string {
  for (const [size, unit] of NANO_UNITS) {
    if (n >= size) {
      return `${oneDecimal(n / size)} ${unit}`;
    }
  }
  return `${n} ns`;
}

/** A value in a unit of a profile's sample type. */
export function amount(value: number, unit: string): string {
  switch (unit) {
    case "bytes":
      return bytes(value);
    case "nanoseconds":
      return nanoseconds(value);
    case "count":
      return count(value);
    default:
      return unit === "" ? count(value) : `${count(value)} ${unit}`;
  }
}

export function age(millis: number): string {
  if (!Number.isFinite(millis)) {
    return "an unknown time";
  }
  const seconds = Math.floor(millis / 1000);
  if (millis < 1000) {
    return `${millis} ms`;
  }
  if (seconds < 60) {
    return `${seconds}.${Math.floor((millis % 1000) / 100)} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  if (seconds < 86_400) {
    return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  }
  return `${Math.floor(seconds / 86_400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

const RATE_UNITS: [number, string][] = [
  [1_000, "s"],
  [60_000, "min"],
  [3_600_000, "h"],
  [86_400_000, "d"],
];

/** How much in which time, in the first unit in which one flow or more comes together. */
export function rate(flows: number, size: number, millis: number): string {
  const [unit, name] = RATE_UNITS.find(([length]) => (flows * length) / millis >= 1) ?? RATE_UNITS[3];
  const part = (flows * unit) / millis;
  const shown = part < 10 ? oneDecimal(part) : count(Math.round(part));
  const flow = `${shown} ${part === 1 ? "flow" : "flows"}/${name}`;
  return size === 0 ? flow : `${flow}, ${bytes(Math.round((size * unit) / millis))}/${name}`;
}

/** `2026-01-31 12:00:00 UTC`. */
export function time(millis: number): string {
  return Number.isNaN(new Date(millis).getTime()) ? "an unknown time" : `${new Date(millis).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function share(part: number, whole: number): string {
  return `${oneDecimal(whole === 0 ? 0 : (100 * part) / whole)} %`;
}

/** Explains the placeholder for flows that are on no known path. */
export const IN_TRANSIT_NOTE =
  "In transit: alive, but on no path that is known, as they moved or ended while the snapshot was taken. Their bytes are a mean. The next snapshot finds most of them on their paths.";
const IN_TRANSIT = "in transit";

/** A name of the model; what stands in place of a path is no method of a class. */
export function named(name: string): string {
  return name.startsWith("(in transit)") ? IN_TRANSIT : name;
}

/** Whether a name stands in place of a path that is not known. */
export function isInTransit(name: string): boolean {
  return name === IN_TRANSIT;
}

/** What C compilers add to the name of a function that they cut or changed. */
const CLONE = /(\.(isra|part|constprop|cold|lto_priv)(\.\d+)?)+$/;
/** Where JDK 17 has the address of a hidden class, and once more a number, after its name. */
const HIDDEN = /\+0x[0-9a-f]+\.\d+(?=\.)/;

/**
 * `com.example.Outer$Inner.method(int):31` without package and signature. The class of a lambda is
 * `Outer$$Lambda$24+0x00007f.1344199921.method` in JDK 17, where the first number tells it from
 * others. Since JDK 21 it is `Outer$$Lambda.0x00007f.method`: there the address does.
 */
export function shortName(name: string): string {
  const paren = name.indexOf("(");
  const end = name.lastIndexOf(")");
  // A name in brackets has no parameters.
  const bare = (paren <= 0 || end < paren ? name : name.slice(0, paren) + name.slice(end + 1)).replace(HIDDEN, "");
  const method = bare.replace(CLONE, "").lastIndexOf(".");
  if (method <= 0) {
    return bare;
  }
  const type = bare.lastIndexOf(".", method - 1);
  // `libc.so.6.read`
  if (/^(so|\d+)$/.test(bare.slice(type + 1, method))) {
    return bare;
  }
  const isNumber = /^0x[0-9a-f]+$/.test(bare.slice(type + 1, method));
  return bare.slice((isNumber ? bare.lastIndexOf(".", type - 1) : type) + 1);
}

/** The package that `shortName` drops, with its dot; empty if it changes more than that. */
export function packageOf(name: string): string {
  const short = shortName(name);
  return name.endsWith(short) ? name.slice(0, name.length - short.length) : "";
}
