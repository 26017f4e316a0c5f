// The live page, with an agent that answers what the test says.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { PageJson } from "../src/pagejson.ts";
import { page } from "./dom.ts";
import { event, pageJson, Visit } from "./visit.ts";

interface Answer {
  isLate?: boolean;
  status?: number;
  text: string;
}

const asked: string[] = [];
const shop = pageJson("shop");
/** By address; one that is not here refuses the connection. */
const answers = new Map<string, Answer>();
const saved: string[] = [];

function answer(path: string, json: unknown): void {
  answers.set(path, { text: JSON.stringify(json) });
}

function flows(takenAt: string): PageJson {
  return { ...shop, takenAt };
}

Object.assign(globalThis, {
  sessionStorage: { getItem: () => null, setItem: (key: string, value: string) => saved.push(`${key}=${value}`) },
  fetch: async (path: string, init: { method?: string; headers: Record<string, string> }) => {
    asked.push(`${init.method ?? "GET"} ${path} ${JSON.stringify(init.headers)}`);
    const found = answers.get(path);
    if (!found) {
      throw new TypeError("refused");
    }
    const { isLate = false, status = 200, text } = found;
    if (isLate) {
      throw new DOMException("timed out", "TimeoutError");
    }
    return { ok: status === 200, status, blob: async () => ({ text: async () => text }) };
  },
});
// How long the page takes is nothing that the test waits for.
performance.now = () => 100_000;
URL.createObjectURL = () => "blob:flows";

/** Lets the page ask again. */
async function wait(visit: Visit, millis = 5_000): Promise<void> {
  mock.timers.tick(millis);
  await visit.settle();
}

function status(): string {
  return page.querySelector("header")?.querySelectorAll("p").at(-1)?.textContent ?? "";
}

test("the live page asks for a token, shows what it gets, and says when it gets nothing", async () => {
  const visit = new Visit("live", ".report");
  location.hash = "#token=secret";
  answers.set("/api/flows", { status: 401, text: "the token is wrong\nand more" });
  await import("../live/live.ts");
  await visit.settle();
  assert.equal(location.hash, "");
  assert.deepEqual(saved, ["buftrail.token=secret"]);
  assert.ok(asked.includes('GET /api/flows {"X-Buftrail":"1","Authorization":"Bearer secret"}'), asked.join("\n"));
  assert.equal(status(), "The token is missing or wrong");

  answer("/api/flows", flows("2026-01-31T12:00:00.250Z"));
  answer("/api/about", { ...shop.process, snapshots: false });
  answer("/api/process", { takenAt: "2026-01-31T11:59:30Z", resident: shop.resident });
  answer("/api/history", pageJson("many").history);
  answer("/api/minutes", { minutes: shop.minutes });
  await visit.does("gives the token", () => {
    const input = page.querySelector("#token") ?? page.querySelectorAll("input")[0];
    input.value = " right ";
    page.querySelector("form")?.happen(event("submit", {}));
  });
  assert.equal(saved.at(-1), "buftrail.token=right");
  assert.ok(asked.at(-1)?.includes("Bearer right"));
  assert.equal(document.title, "shop (1507): Buftrail live");
  assert.equal(status(), "As of 2026-01-31 12:00:00 UTC, refreshed by itself");

  answer("/api/flows", flows("2026-01-31T12:00:07.250Z"));
  await visit.does("five seconds go by", () => mock.timers.tick(5_000));
  answers.set("/api/history", { status: 500, text: "no history today" });
  await visit.does("the history is not to be had", () => mock.timers.tick(5_000));

  await visit.does("touches the report", () => page.querySelector(".report")?.happen({ type: "pointerdown" }));
  answer("/api/flows", flows("2026-01-31T12:00:19.250Z"));
  await visit.does("somebody reads, five seconds later", () => mock.timers.tick(5_000));
  await visit.clicks("Update what is below");

  answers.set("/api/flows", { text: "<html>" });
  await wait(visit);
  assert.match(status(), /^No usable answer: what the JVM sent for \/api\/flows cannot be read \(.*\); what is shown is of 2026-01-31 12:00:19 UTC\. Trying again$/);
  answer("/api/flows", { ...shop, version: 2 });
  await wait(visit);
  assert.match(status(), /^No usable answer: what the JVM sent for \/api\/flows is not what this page shows; load the page again;/);
  answers.set("/api/flows", { status: 503, text: `${"x".repeat(300)}\nmore` });
  await wait(visit);
  assert.match(status(), /^No usable answer: the JVM answered x{200}…;/);
  answers.set("/api/flows", { isLate: true, text: "" });
  await wait(visit);
  assert.match(status(), /^No answer: the JVM has not answered within 10 s;/);
  answers.delete("/api/flows");
  await wait(visit);
  assert.equal(status(), "No answer: the JVM cannot be reached; what is shown is of 2026-01-31 12:00:19 UTC. Trying again");
  await visit.does("the JVM is gone", () => {});

  const asks = asked.length;
  await visit.clicks("Pause");
  await wait(visit, 60_000);
  assert.equal(asked.length, asks);
  answer("/api/flows", flows("2026-01-31T12:00:29.250Z"));
  await visit.clicks("Go on");
  await visit.does("goes on, five seconds later", () => mock.timers.tick(30_000));
  visit.end();
});

test("its actions ask first, and say what came of them", async () => {
  const visit = new Visit("live-actions", ".report");
  const note = () => page.querySelectorAll("p.note")[0].textContent;
  await visit.does("sees", () => {});
  await visit.clicks("Count from 0");
  await visit.clicks("Cancel");
  assert.ok(!asked.some((one) => one.startsWith("POST")));
  answer("/api/reset", {});
  await visit.clicks("Count from 0");
  await visit.clicks("Count from 0", ".question button");
  assert.ok(asked.some((one) => one.startsWith("POST /api/reset")));
  assert.equal(note(), "Counting from 0 again");
  const collect = async (said: unknown, latest: PageJson) => {
    answer("/api/collect", said);
    answer("/api/flows", latest);
    await visit.clicks("Collect now");
    await visit.clicks("Collect now", ".question button");
    return note();
  };
  const undecided = flows("2026-01-31T12:01:00.250Z");
  const decided = { ...undecided, tracker: { undecided: 0 } };
  assert.equal(await collect({ collected: false, text: "not within a minute" }, undecided), "not within a minute");
  assert.equal(await collect({ collected: true, leaked: 0 }, undecided), "Collected: no more leaks were found; 5 of the live ones are undecided");
  assert.equal(await collect({ collected: true, leaked: 0 }, decided), "Collected: no more leaks were found; what is live is held by somebody");
  assert.equal(await collect({ collected: true, leaked: 2, leakedBytes: 2_048 }, decided), "Collected: 2 more flows leaked, 2.0 KiB");
  assert.equal(await collect({ collected: true, leaked: 1, leakedBytes: 7 }, undecided), "Collected: 1 more flow leaked, 7 B; 5 of the live ones are undecided");
  answers.set("/api/collect", { status: 409, text: "another one runs" });
  await visit.clicks("Collect now");
  await visit.clicks("Collect now", ".question button");
  assert.equal(note(), "No usable answer: the JVM answered another one runs");
  answers.set("/api/snapshot.pb.gz", { text: "packed" });
  await visit.clicks("Download");
  await visit.clicks("pprof");
  assert.equal(note(), "flows.pb.gz is downloaded");
  visit.end();
});
