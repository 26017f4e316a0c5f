// Builds the live page into one file that the agent serves. `--check` fails if the committed file differs.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../agent/src/main/resources/org/buftrail/agent/page/live.html");

const sha256 = (text, encoding) => createHash("sha256").update(text).digest(encoding);

/** Of the page's own sources; a Java test computes the same. What it shares is checked by `--check`. */
function fingerprint() {
  const files = readdirSync(join(here, "live")).sort().map((name) => `live/${name}`);
  const hash = createHash("sha256");
  for (const name of [...files, "build-live.mjs"]) {
    hash.update(`${name}\n`).update(readFileSync(join(here, name))).update("\n");
  }
  return hash.digest("hex");
}

function notices() {
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const texts = Object.keys(dependencies).map((name) => {
    const license = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name} ${dependencies[name]}\n${license.trim()}`;
  });
  return `Contains the following.\n\n${texts.join("\n\n")}\n`.replaceAll("--", "- -");
}

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "live", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
}

const script = await bundle("live.ts");
const style = await bundle("live.css");
if (/<\/(script|style)|<!--/i.test(script + style)) {
  throw new Error("the bundle would end its own element");
}
const csp = [
  "default-src 'none'",
  `script-src 'sha256-${sha256(script, "base64")}'`,
  `style-src 'sha256-${sha256(style, "base64")}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const parts = { CSP: csp, FINGERPRINT: fingerprint(), NOTICES: notices(), STYLE: style, SCRIPT: script };
const page = readFileSync(join(here, "live/live.html"), "utf8").replace(/@@([A-Z]+)@@/g, (marker, name) =>
  name in parts ? parts[name] : marker,
);
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    throw new Error("the committed live page is not what its sources build to; run npm run build");
  }
} else {
  writeFileSync(target, page);
}
