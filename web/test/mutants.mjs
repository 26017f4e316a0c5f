// Plants bugs of one statement in the pages' sources, one at a time, and says which of them no unit test notices.
// `npm run mutants -- --seed 7 --count 100`; the same seed plants the same bugs in the same sources.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runTests } from "./run.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const option = (name, usual) => Number(process.argv[process.argv.indexOf(`--${name}`) + 1 || process.argv.length] ?? usual);
/** What takes longer hangs, as far as people can tell: far more than the tests need on a busy machine. */
const SLOWEST = 300_000;

/** What is looked for, and what stands in its place. Lines that hold neither a statement nor a figure have no bug. */
const SLIPS = [
  [/ === /, " !== "], [/ !== /, " === "], [/ < /, " <= "], [/ > /, " >= "], [/ <= /, " < "], [/ >= /, " > "],
  [/ && /, " || "], [/ \|\| /, " && "], [/ \+ /, " - "], [/ - /, " + "], [/ \* /, " / "], [/ \/ /, " * "], [/ % /, " + "],
  [/ \+= /, " -= "], [/ -= /, " += "], [/\+\+/, "--"], [/(?<=[(& ])!(?=[a-z(])/, ""],
  [/Math\.max/, "Math.min"], [/Math\.min/, "Math.max"], [/Math\.floor/, "Math.ceil"], [/Math\.ceil/, "Math.floor"],
  [/(?<![\w.#$"'])\d+(?![\w."'])/, (number) => String(Number(number) + 1)],
  [/\btrue\b/, "false"], [/\bfalse\b/, "true"],
  [/^ +(?:this\.)?[a-z][\w.]*\(.*\);$/, ";"], [/^ +(?:this\.)?[a-z][\w.]* = .*;$/, ";"],
  [/\bif \((.*)\) \{$/, (_, condition) => `if (!(${condition})) {`], [/ \? (.+) : (?=[^:?]+$)/, (_, first) => ` && false ? ${first} : `],
];

function* slipsIn(text) {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (/^\s*(import|export (type|interface)|\/\/|\/?\*|readonly \w+: |interface |type )/.test(line) || /^const [A-Z_]+: .*RegExp/.test(line)) {
      continue;
    }
    // Texts are no statements.
    const code = line.replace(/"(?:\\.|[^"\\])*"|\/\/.*$/g, (found) => "\u0000".repeat(found.length));
    for (const [pattern, by] of SLIPS) {
      for (const { index, 0: found } of code.matchAll(new RegExp(pattern.source, "g"))) {
        const whole = line.slice(index, index + found.length);
        const put = typeof by === "string" ? by : whole.replace(pattern, by);
        if (put !== whole) {
          yield { at, line: line.slice(0, index) + put + line.slice(index + found.length), was: line.trim() };
        }
      }
    }
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function chances(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const planted = (path, text) => ({
  name: "planted",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path: loaded }) => (loaded === path ? { contents: text, loader: "ts" } : undefined));
  },
});

const chance = chances(option("seed", 1));
const files = ["src", "live"].flatMap((directory) => readdirSync(join(web, directory)).filter((name) => name.endsWith(".ts")).sort().map((name) => join(web, directory, name)));
// A line is chosen first, so that long files get more, then what is wrong in it.
const places = files.flatMap((path) => {
  const byLine = new Map();
  for (const slip of slipsIn(readFileSync(path, "utf8"))) {
    byLine.set(slip.at, [...(byLine.get(slip.at) ?? []), slip]);
  }
  return [...byLine.values()].map((slips) => ({ path, slips }));
});
if ((await runTests({ stdio: "ignore" })) !== 0) {
  throw new Error("a test fails without any bug");
}
let noticed = 0;
let judged = 0;
const count = option("count", 60);
while (judged < count && places.length > 0) {
  const [{ path, slips }] = places.splice(Math.floor(chance() * places.length), 1);
  const slip = slips[Math.floor(chance() * slips.length)];
  const lines = readFileSync(path, "utf8").split("\n");
  lines[slip.at] = slip.line;
  const exit = await runTests({ plugins: [planted(path, lines.join("\n"))], stdio: "ignore", timeout: SLOWEST }).catch(() => null);
  if (exit === null) {
    // It cannot be bundled, so it is no bug that tests could miss.
    continue;
  }
  const isNoticed = exit !== 0;
  judged++;
  noticed += isNoticed ? 1 : 0;
  console.log(`${isNoticed ? "noticed " : "SURVIVED"} ${relative(web, path)}:${slip.at + 1} ${slip.was.slice(0, 150)} => ${slip.line.trim().slice(0, 150)}`);
}
console.log(`${noticed} of ${judged} noticed`);
