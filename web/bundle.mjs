// What both pages are built with: script and style inlined, a content policy that allows these two and nothing else.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

const sha256 = (text, encoding) => createHash("sha256").update(text).digest(encoding);

/** Of the sources that the built page depends on; a Java test computes the same. */
function fingerprint(directories, others) {
  const files = directories.flatMap((directory) =>
    readdirSync(join(here, directory)).sort().map((name) => `${directory}/${name}`),
  );
  const hash = createHash("sha256");
  for (const name of [...files, ...others]) {
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
    entryPoints: [join(here, entry)],
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

/**
 * Builds a page into one file; with `--check`, fails if the committed file differs.
 * @param {{directory: string, script: string, style: string, template: string, shared: string[], fingerprinted: string[],
 *     policies: string[], target: string}} page script, style and template are in `directory`,
 *     which uses sources of those that are `shared`
 */
export async function buildPage(page) {
  const script = await bundle(join(page.directory, page.script));
  const style = await bundle(join(page.directory, page.style));
  if (/<\/(script|style)|<!--/i.test(script + style)) {
    throw new Error("the bundle would end its own element");
  }
  const csp = [
    "default-src 'none'",
    `script-src 'sha256-${sha256(script, "base64")}'`,
    `style-src 'sha256-${sha256(style, "base64")}'`,
    ...page.policies,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts = {
    CSP: csp,
    FINGERPRINT: fingerprint([page.directory, ...page.shared], page.fingerprinted),
    NOTICES: notices(),
    STYLE: style,
    SCRIPT: script,
  };
  const template = readFileSync(join(here, page.directory, page.template), "utf8");
  const built = template.replace(/@@([A-Z]+)@@/g, (marker, name) => (name in parts ? parts[name] : marker));
  const target = join(here, page.target);
  if (!process.argv.includes("--check")) {
    writeFileSync(target, built);
  } else if (readFileSync(target, "utf8") !== built) {
    throw new Error(`${page.target} is not what its sources build to; run npm run build`);
  }
}
