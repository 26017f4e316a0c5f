// Builds the report page, which the Java side fills with a model, and the live page, which the agent serves.
import { buildPage } from "./bundle.mjs";

await buildPage({
  directory: "src",
  script: "main.ts",
  style: "page.css",
  template: "page.html",
  shared: [],
  fingerprinted: ["build.mjs", "bundle.mjs", "package-lock.json"],
  policies: [],
  target: "../profile/src/main/resources/org/buftrail/profile/html/page.html",
});
await buildPage({
  directory: "live",
  script: "live.ts",
  style: "live.css",
  template: "live.html",
  shared: ["src"],
  fingerprinted: ["build.mjs", "bundle.mjs", "package-lock.json"],
  policies: ["connect-src 'self'"],
  target: "../agent/src/main/resources/org/buftrail/agent/page/live.html",
});
