// Bundles the tests, as Node does not run TypeScript, and runs them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "buftrail-web-"));
try {
  const outfile = join(out, "model.test.mjs");
  await build({ entryPoints: [join(here, "model.test.ts")], bundle: true, platform: "node", format: "esm", outfile });
  process.exitCode = spawnSync(process.execPath, ["--test", outfile], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
