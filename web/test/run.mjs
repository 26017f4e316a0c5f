// Bundles the tests, as Node does not run TypeScript, and runs them. With --update, what pages show is kept anew.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** @returns the exit code; anything but 0 where a test fails, or does not end in `timeout` milliseconds */
export async function runTests({ plugins = [], stdio = "inherit", timeout = 600_000, env = {} } = {}) {
  const out = mkdtempSync(join(tmpdir(), "buftrail-web-"));
  try {
    const entryPoints = readdirSync(here).filter((name) => name.endsWith(".test.ts")).map((name) => join(here, name));
    await build({ entryPoints, bundle: true, platform: "node", format: "esm", outdir: out, outExtension: { ".js": ".mjs" }, plugins, logLevel: stdio === "inherit" ? "warning" : "silent" });
    const tests = entryPoints.map((name) => join(out, basename(name).replace(/\.ts$/, ".mjs")));
    const settings = { ...process.env, BUFTRAIL_PAGES: join(here, "pages"), ...env };
    return spawnSync(process.execPath, ["--test", ...tests], { stdio, timeout, env: settings }).status ?? 1;
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runTests({ env: process.argv.includes("--update") ? { BUFTRAIL_UPDATE: "yes" } : {} });
}
