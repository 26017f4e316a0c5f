import assert from "node:assert/strict";
import { test } from "node:test";
import { processesSection } from "../src/processes.ts";
import { all, pretendDocument, texts } from "./dom.ts";

pretendDocument();

test("processes that differ stand first, with how, and leaks that only some have", () => {
  const section = processesSection({
    service: "shop 2",
    each: [
      { process: "web-1/1", allocated: 1000, leaked: 10, leakedBytes: 1000 },
      { process: "web-2/2", allocated: 1000, leaked: 11, leakedBytes: 1100 },
      { process: "web-3/3", allocated: 1000, leaked: 100, leakedBytes: 10_240, difference: "leaks 10 times as often as most" },
    ],
    leaksOfSome: [{ place: "com.example.Orders.cancel:42", in: "web-3/3" }],
    notListed: 2,
  });
  assert.deepEqual(
    all(section, "tr").slice(1).map((row) => [...texts(row, "th"), ...texts(row, "td")]),
    [
      ["web-3/3", "1,000", "100", "10.0 KiB", "leaks 10 times as often as most"],
      ["web-2/2", "1,000", "11", "1.1 KiB", ""],
      ["web-1/1", "1,000", "10", "1000 B", ""],
    ],
  );
  assert.equal(all(section, ".differs").length, 1);
  assert.equal(texts(section, "p")[0], "3 processes of shop 2, added up. 1 process differs from most.");
  assert.deepEqual(texts(section, "li"), ["web-3/3 alone: last seen in com.example.Orders.cancel:42", "2 more that not all have"]);
});

test("nothing is said where none is known to differ", () => {
  const section = processesSection({
    service: "shop",
    each: [
      { process: "1", allocated: 10, leaked: 1, leakedBytes: 5 },
      { process: "2", allocated: 10, leaked: 1, leakedBytes: 5 },
    ],
    leaksOfSome: [],
  });
  assert.deepEqual(texts(section, "p"), ["2 processes of shop, added up."]);
  assert.deepEqual(all(section, "li"), []);
});
