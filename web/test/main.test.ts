// The page that a file carries, from its first line on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Fake, happen, page } from "./dom.ts";
import { pageJson, Visit } from "./visit.ts";

test("a page names its process, and keeps its sections when another fails", async () => {
  const data = new Fake("script");
  data.setAttribute("id", "model");
  // A suspect that is not there: that section alone says so.
  const json = pageJson("shop");
  data.textContent = JSON.stringify({ ...json, suspects: { ...json.suspects, path: [999] } });
  page.append(data);
  const said = console.error;
  console.error = () => {};
  try {
    await import("../src/main.ts");
    await new Visit("main").settle();
  } finally {
    console.error = said;
  }
  assert.equal(document.title, "shop (1507): Buftrail flows");
  assert.equal(
    page.querySelector("header")?.children[0].textContent,
    "Buftrail flowsshop · process 1507 on till-1 · up 2 h 3 min · Java 17.0.15 · options sample=2Taken 2026-01-31 12:00:00.250 UTC",
  );
  assert.deepEqual(page.querySelectorAll(".failed-section").map((one) => one.textContent), [`SuspectsThis section cannot be shown: suspects.path names path 999, and there are ${json.paths?.node.length}`]);
  happen({ type: "error", error: new Error("too many") });
  assert.equal(page.querySelector(".fault")?.textContent, "This page could not do all that it was asked: too many");
  happen({ type: "unhandledrejection", reason: "gone" });
  assert.equal(page.querySelector(".fault")?.textContent, "This page could not do all that it was asked: gone");
});
