// Whole pages as production writes them, and what people do there. What they see is in the files beside the pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffPage } from "../src/diff.ts";
import { flowsPage } from "../src/flows.ts";
import { helpButton } from "../src/help.ts";
import { Model } from "../src/model.ts";
import { profilesPage } from "../src/profiles.ts";
import { themeButton } from "../src/theme.ts";
import { copied, Fake, happen, page } from "./dom.ts";
import { event, pageJson, Visit } from "./visit.ts";

function paragraph(text: string): Fake {
  const made = new Fake("p");
  made.textContent = text;
  return made;
}

const flows = (name: string) => () => flowsPage(new Model(pageJson(name)));
/** The second graph of a page; the first shows callers. */
const GRAPH = ".flame/1";
const CALLERS = ".flame";

test("a page of flows: leaks, suspects, misuses, and what holds memory", async () => {
  const visit = new Visit("shop-lists");
  await visit.open("a page of flows", flows("shop"));
  const entries = page.querySelectorAll(".leaks details").length;
  for (let i = 0; i < entries; i++) {
    await visit.opens(`.leaks details/${i}`);
  }
  await visit.clicks("Copy path");
  await visit.does("has copied", () => page.append(paragraph(copied())));
  await visit.does("closes the second by hand", () => {
    const second = visit.one(".leaks details/1");
    second.querySelectorAll("summary")[0].click();
    second.open = false;
  });
  await visit.does("opens it again", () => {
    const second = visit.one(".leaks details/1");
    second.querySelectorAll("summary")[0].click();
    second.open = true;
  });
  await visit.clicks("Last hop");
  await visit.clicks("Method");
  await visit.clicks("Class");
  await visit.opens(".leaks details/0");
  await visit.clicks("Allocator");
  await visit.opens(".leaks details/1");
  await visit.goesTo("");
  await visit.clicks("Show in flame graph");
  await visit.window("beforeprint");
  await visit.window("afterprint");
  visit.end();
});

test("a page of flows: searching", async () => {
  const visit = new Visit("shop-search");
  await visit.open("a page of flows that is searched", flows("shop"), "#q=Errors", false);
  await visit.presses("Enter", ".search input");
  await visit.presses("Enter", ".search input", { shiftKey: true });
  await visit.types("^com\\.example\\.shop\\.(Log|Cache)");
  await visit.clicks("↓");
  await visit.clicks("↓");
  await visit.clicks("↓");
  await visit.clicks("↑");
  await visit.types("encode");
  await visit.types("(");
  await visit.types("Nowhere");
  await visit.types("");
  await visit.goesTo("#q=Dao");
  await visit.hits("/");
  await visit.hits("/", { ctrlKey: true });
  visit.end();
});

test("a page of flows: its flame graph", async () => {
  const visit = new Visit("shop-graph");
  await visit.open("a page of flows", () => [...flows("shop")(), helpButton(), themeButton()], "#flows=allocated&measure=count", false);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Enter", "Escape", "Home", "ArrowUp", "ArrowDown", " ", "Backspace"]) {
    await visit.presses(key, GRAPH);
  }
  await visit.presses("ArrowDown", GRAPH, { altKey: true });
  await visit.points("pointermove", GRAPH, 300, 30);
  await visit.points("pointermove", GRAPH, 300, 52, { pointerType: "touch" });
  await visit.points("pointermove", GRAPH, 990, 700);
  await visit.points("pointerleave", GRAPH, 0, 0);
  await visit.points("click", GRAPH, 20, 52);
  await visit.points("click", ".minimap", 500, 4);
  await visit.points("click", GRAPH, 20, 52);
  await visit.hits("0");
  await visit.points("wheel", GRAPH, 40, 70, { ctrlKey: true, deltaY: -30 });
  await visit.points("wheel", GRAPH, 40, 70, { ctrlKey: true, deltaY: -30 });
  await visit.points("wheel", GRAPH, 40, 70, { ctrlKey: true, deltaY: -50 });
  await visit.points("wheel", GRAPH, 40, 70, { ctrlKey: true, deltaY: 60 });
  await visit.points("wheel", GRAPH, 40, 70, { deltaY: 60 });
  await visit.clicks("Show all");
  await visit.points("contextmenu", GRAPH, 30, 30, { button: 2 });
  await visit.presses("ArrowDown", ".menu");
  await visit.presses("ArrowDown", ".menu");
  await visit.presses("ArrowUp", ".menu");
  await visit.presses("Escape", ".menu");
  await visit.points("contextmenu", GRAPH, 30, 30, { button: 2 });
  await visit.clicks("Copy its name");
  assert.match(copied(), /^[\w.$]+$/);
  await visit.points("contextmenu", GRAPH, 30, 30, { button: 2 });
  await visit.clicks("Callers and callees");
  await visit.presses("ArrowUp", CALLERS);
  await visit.presses("ArrowUp", CALLERS);
  await visit.presses("Enter", CALLERS);
  await visit.points("click", CALLERS, 5, 5);
  await visit.hits("0");
  await visit.window("beforeprint");
  await visit.window("afterprint");
  await visit.clicks("Calls of", "button.chip");
  await visit.points("contextmenu", GRAPH, 30, 30, { button: 2 });
  await visit.clicks("Hide it");
  await visit.points("contextmenu", GRAPH, 30, 52, { button: 2 });
  await visit.clicks("Only stacks through it");
  await visit.clicks("Merge recursion");
  await visit.clicks("Bottom up");
  await visit.clicks("Memory", ".flame-tools button");
  await visit.clicks("Hidden:", "button.chip");
  await visit.clicks("Only through", "button.chip");
  await visit.clicks("Top down");
  await visit.clicks("Frame…");
  await visit.clicks("Zoom to it");
  for (const state of ["Live", "Released", "Dropped"]) {
    await visit.clicks(state, "#flame-section button");
  }
  await visit.clicks("Bytes", "[aria-label=Measure] button");
  await visit.goesTo("#stacks=up&colour=memory&recursion=merged&flows=live&measure=count");
  await visit.hits("?");
  await visit.clicks("Theme", "button.theme");
  await visit.clicks("Theme", "button.theme");
  visit.end();
});

test("a page of flows: tables, streams, paths and time", async () => {
  const visit = new Visit("shop-tables");
  await visit.open("a page of flows, its tables sorted as the address says", flows("shop"), "#paths=live-up&memory=chunks-down", false);
  const last = page.querySelectorAll(".vtable").length - 1;
  const table = `.vtable/${last}`;
  for (const key of ["ArrowDown", "PageDown", "End", "ArrowUp", "Home", "Enter"]) {
    await visit.presses(key, table);
  }
  await visit.clicks("×", "button.close");
  await visit.does("sorts all paths by their leaks", () => visit.one(table).querySelectorAll("button").find((one) => one.textContent.startsWith("Leaks"))?.click());
  await visit.does("sorts them the other way", () => visit.one(table).querySelectorAll("button").find((one) => one.textContent.startsWith("Leaks"))?.click());
  await visit.does("opens the second of them", () => visit.one(table).querySelectorAll(".vrow")[2].click());
  await visit.does("goes on to the graph", () => visit.one("dialog").querySelectorAll("button").find((one) => one.textContent === "Show in flame graph")?.click());
  await visit.does("opens who holds most", () => visit.one(".memory-desk").querySelectorAll(".vrow")[1].click());
  await visit.does("opens what was live at the peak", () => page.querySelectorAll("section").find((one) => one.getAttribute("aria-labelledby") === "peak-title")?.querySelectorAll(".vrow")[1].click());
  await visit.does("opens the first stream", () => visit.one(".stream").click());
  await visit.does("opens the first end", () => visit.one(".stream-ends button").click());
  await visit.does("has streams as wide as they have flows", () => visit.one(".streams .segmented button/1").click());
  for (const what of ["Leaked", "Allocated"]) {
    await visit.does(`looks at what was ${what} over time`, () => page.querySelectorAll(".history .segmented button").find((one) => one.textContent === what)?.click());
  }
  await visit.clicks("24 hours");
  await visit.clicks("Last 5 min");
  await visit.clicks("All", ".range-choices button");
  await visit.does("sorts the range by what was released", () => visit.one(".range").querySelectorAll("button").find((one) => one.textContent.startsWith("Released"))?.click());
  await visit.clicks("Close the range");
  await visit.points("pointerdown", ".plot", 150, 40);
  await visit.points("pointermove", ".plot", 500, 40);
  await visit.points("pointerup", ".plot", 500, 40);
  await visit.points("pointerdown", ".plot", 150, 40);
  await visit.points("pointerup", ".plot", 151, 40);
  await visit.points("pointerdown", ".plot", 150, 40);
  await visit.points("pointercancel", ".plot", 151, 40);
  visit.end();
});

test("many leaks are listed by place, and the first of them", async () => {
  const visit = new Visit("many");
  await visit.open("a page of many leaks, with what was before", flows("many"));
  await visit.opens(".leaks details/0");
  await visit.opens(".leaks .leaks details/0");
  await visit.clicks("Class");
  await visit.opens(".leaks details/0");
  await visit.clicks("Path");
  await visit.clicks("Show ");
  await visit.types("End4");
  await visit.presses("Enter", ".search input");
  visit.end();
});

test("a page on which nothing leaks yet", async () => {
  const visit = new Visit("quiet");
  await visit.open("a page without leaks", flows("quiet"));
  await visit.clicks("Leaked", ".segmented button");
  visit.end();
});

const profiles = () => profilesPage(new Model(pageJson("profiles")));

test("a page of profiles: kinds, functions, searching", async () => {
  const visit = new Visit("profiles");
  await visit.open("a page of profiles", profiles);
  await visit.clicks("alloc", ".kinds button");
  await visit.clicks("Count", ".kinds button");
  await visit.clicks("lock", ".kinds button");
  await visit.goesTo("#profile=alloc&unit=count");
  await visit.goesTo("");
  await visit.does("sorts functions by their names", () => visit.one(".functions .vhead button").click());
  await visit.does("sorts them the other way", () => visit.one(".functions .vhead button").click());
  await visit.does("sorts them by their totals", () => visit.one(".functions .vhead button/3").click());
  await visit.does("looks at the calls of the first", () => visit.one(".functions .vrow/1").click());
  await visit.types("parser.parse");
  await visit.clicks("↓");
  await visit.clicks("Only stacks that match");
  await visit.clicks("Frame type");
  await visit.clicks("Bottom up");
  await visit.presses("ArrowDown", GRAPH);
  await visit.presses("ArrowDown", GRAPH);
  await visit.clicks("Top down");
  await visit.types("");
  visit.end();
});

test("a page of profiles: times, threads and traces", async () => {
  const visit = new Visit("profiles-times");
  await visit.open("a page of profiles with its heatmap", profiles, "#heatmap=open", false);
  const plot = ".heat-plot";
  await visit.points("pointermove", plot, 60, 20);
  await visit.points("pointermove", plot, 20, 20);
  await visit.points("pointerdown", plot, 160, 20);
  await visit.points("pointermove", plot, 280, 60);
  await visit.points("pointerup", plot, 280, 60);
  await visit.points("pointerdown", plot, 260, 70);
  await visit.points("pointerup", plot, 260, 70);
  await visit.points("pointerleave", plot, 0, 0);
  await visit.does("goes to the heatmap", () => visit.one(plot).focus());
  for (const key of ["ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "End", "Home", "Enter", "Escape"]) {
    await visit.presses(key, plot);
  }
  await visit.presses("ArrowRight", plot, { shiftKey: true });
  await visit.presses("ArrowRight", plot, { shiftKey: true });
  await visit.presses("ArrowLeft", plot, { shiftKey: true });
  await visit.window("beforeprint");
  await visit.window("afterprint");
  await visit.clicks("Time", "button.chip");
  await visit.opens(".thread-filter");
  await visit.types("^worker", ".thread-filter input");
  await visit.clicks("Choose these");
  await visit.clicks("All threads");
  await visit.types("nobody", ".thread-filter input");
  await visit.types("", ".thread-filter input");
  await visit.does("leaves the second thread", () => visit.one(".thread-filter .thread-list input/1").happen({ type: "change" }));
  await visit.does("leaves the first, too", () => visit.one(".thread-filter .thread-list input").happen({ type: "change" }));
  await visit.does("chooses a trace", () => visit.one(".thread-filter/1").querySelectorAll(".thread-list input")[1].happen({ type: "change" }));
  await visit.clicks("lock", ".kinds button");
  await visit.clicks("Threads", "button.chip");
  await visit.clicks("Traces", "button.chip");
  await visit.does("closes the heatmap", () => (visit.one(".heat-section").open = false));
  await visit.goesTo("#time=1-2.5&thread=worker-1&q=parse&match=only");
  visit.end();
});

test("a page of a comparison", async () => {
  const visit = new Visit("diff");
  await visit.open("a comparison", () => diffPage(new Model(pageJson("diff"))));
  await visit.clicks("New", ".segmented button");
  await visit.clicks("Base", ".segmented button");
  await visit.clicks("Both", ".segmented button");
  await visit.presses("ArrowDown", GRAPH);
  await visit.presses("ArrowDown", GRAPH);
  await visit.presses("ArrowRight", GRAPH);
  await visit.clicks("Frame type");
  await visit.clicks("Package");
  await visit.clicks("Change", ".segmented button");
  await visit.does("sorts functions by what they have now", () => visit.named(".vhead button", "New").click());
  await visit.does("looks at the calls of the first", () => visit.one(".vrow/1").click());
  await visit.types("Cache");
  await visit.types("Rare");
  await visit.window("beforeprint");
  visit.end();
});

test("keys in a field that takes text are the field's", async () => {
  const visit = new Visit("typing");
  await visit.open("a page of flows that is zoomed", flows("quiet"));
  await visit.points("click", GRAPH, 20, 30);
  const { hash } = location;
  assert.notEqual(hash, "");
  happen(event("keydown", { key: "0", target: visit.one(".search input") }));
  assert.equal(location.hash, hash);
  happen(event("keydown", { key: "0", ctrlKey: true }));
  assert.equal(location.hash, hash);
  happen(event("keydown", { key: "0" }));
  assert.equal(location.hash, "");
});

test("a page without anything says so", () => {
  const nothing = { ...pageJson("profiles"), profiles: [] };
  assert.equal(profilesPage(new Model(nothing))[0].textContent, "There is no profile in this file.");
  assert.equal(diffPage(new Model(nothing))[0].textContent, "There is nothing to compare.");
});
