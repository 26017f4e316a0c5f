import assert from "node:assert/strict";
import { test } from "node:test";
import { headline } from "../src/headline.ts";
import { MeasureChooser } from "../src/measures.ts";
import { Model } from "../src/model.ts";
import { NameList } from "../src/namelist.ts";
import type { PageJson, ProfileJson } from "../src/pagejson.ts";
import { fates } from "../src/path.ts";
import { Section } from "../src/section.ts";
import { streamsOf } from "../src/streams.ts";
import { numericColumn, VirtualTable } from "../src/table.ts";
import { all, fire, pretendDocument, texts } from "./dom.ts";

pretendDocument();

/** Paths from one allocator to a place each, of which every figure is another prime. */
function snapshot(more: Partial<PageJson> = {}): PageJson {
  return {
    format: "buftrail.page",
    version: 1,
    kind: "flows",
    names: ["n.Alloc.make", "a.A.lost", "a.B.freed"],
    frames: { name: [0, 1, 2], line: [0, 9, 4] },
    nodes: { up: [0, 1, 2], frame: [0, 1, 2] },
    paths: {
      node: [1, 2],
      direct: [1, 0],
      resource: [0, 0],
      released: [0, 11],
      releasedBytes: [0, 1100],
      leaked: [3, 0],
      leakedBytes: [300, 0],
      live: [0, 7],
      liveBytes: [0, 700],
      oldest: [-1, 0],
      median: [-1, 0],
    },
    ...more,
  };
}

function factsOf(list: HTMLElement): string[] {
  return all(list, "div").map((fact) => `${texts(fact, "dt")[0]}: ${texts(fact, "dd")[0]}`);
}

test("a path has the facts that there are, and no others", () => {
  const model = new Model(snapshot());
  assert.deepEqual(factsOf(fates(model, 0)), ["Memory: direct", "Leaked: 3 flows, 300 B"]);
  assert.deepEqual(factsOf(fates(model, 1)), ["Memory: heap", "Live now: 7 flows, 700 B", "Oldest live: 0 ms", "Median age: 0 ms", "Released: 11 flows, 1.1 KiB"]);
  const unreleased = { path: [0], held: [13], dropped: [17], bytes: [1700] };
  assert.deepEqual(factsOf(fates(new Model(snapshot({ unreleased })), 0)).slice(2), ["Held by these: 13 flows", "Dropped, no leak: 17 flows, 1.7 KiB"]);
});

test("the cards say what there is, and no others", () => {
  const cards = (model: Model) => all(headline(model), ".card").map((card) => card.textContent ?? "");
  const [leaked, live, released, allocated] = cards(new Model(snapshot()));
  assert.match(leaked, /critical: 300 B of direct memory$/);
  assert.match(live, /0 B direct, 700 B heap.*oldest 0 ms$/);
  assert.match(released, /52.4 % of all flows$/);
  assert.match(allocated, /21.*on 2 paths$/);
  const unreleased = { path: [0], held: [1], dropped: [17], bytes: [1700] };
  const more = cards(new Model(snapshot({ unreleased })));
  assert.match(more[0], /holding 1 more flow$/);
  assert.match(more[2], /^Dropped1.7 KiB17 flows/);
});

test("a part that works is asked, and one that fails is not asked again", () => {
  const section = new Section("Paths", () => ({ times: 2 }), () => []);
  assert.equal(section.ask((part) => 3 * part.times, 0), 6);
  const said = console.error;
  console.error = () => {};
  try {
    section.do(() => {
      throw new Error("no more");
    });
    assert.equal(section.ask(() => 1, 5), 5);
    assert.match(section.elements[0].textContent ?? "", /This section cannot be shown: no more/);
  } finally {
    console.error = said;
  }
});

test("a table has its heads before anybody sorts", () => {
  const table = new VirtualTable("Sizes", [numericColumn("size", "Size", [1], String), numericColumn("count", "Count", [1], String)], 1, "size", null);
  assert.deepEqual(texts(all(table.element, ".vhead")[0], "button"), ["Size ▾", "Count"]);
});

test("a name is chosen once and left out the second time", () => {
  const chosen: string[][] = [];
  const list = new NameList({ title: "Threads", one: "thread" }, (names) => chosen.push([...names]));
  const toggle = (...before: string[]) => {
    list.show([{ name: "main", value: 5 }, { name: "io-1", value: 7 }], new Set(before), "count");
    // The first is where names are searched for.
    fire(all(list.element, "input")[1], "change");
  };
  toggle();
  toggle("io-1");
  toggle("main");
  assert.deepEqual(chosen, [["io-1"], [], ["main", "io-1"]]);
  assert.deepEqual(texts(list.element, "summary"), ["Threads: main"]);
});

test("a kind is shown in the unit of the address, and in its usual one without", () => {
  const profile = (type: string, unit: string, value: number) => ({ name: "allocation", type, unit, node: [0], value: [value] }) as unknown as ProfileJson;
  const profiles = [profile("objects", "count", 3), profile("space", "bytes", 500)];
  const selected: number[] = [];
  for (const hash of ["#profile=allocation&unit=count", "#profile=allocation&unit=bytes"]) {
    location.hash = hash;
    new MeasureChooser(profiles, (index) => selected.push(index)).start();
  }
  location.hash = "";
  assert.deepEqual(selected, [0, 1]);
});

test("of many places in a column those have a station that have most", () => {
  const places = Array.from({ length: 12 }, (_, i) => i + 1);
  const model = new Model({
    ...snapshot(),
    names: ["n.Alloc.make", ...places.map((i) => `a.P${i}.run`)],
    frames: { name: [0, ...places], line: [0, ...places] },
    nodes: { up: [0, ...places], frame: [0, ...places] },
    paths: {
      ...Object.fromEntries(["direct", "resource", "released", "releasedBytes", "live", "liveBytes"].map((name) => [name, places.map(() => 0)])),
      ...Object.fromEntries(["oldest", "median"].map((name) => [name, places.map(() => -1)])),
      node: places,
      // The first has most, the others less and less.
      leaked: places.map((i) => 100 - i),
      leakedBytes: places.map((i) => 100 - i),
    } as NonNullable<PageJson["paths"]>,
  });
  const { stations } = streamsOf(model, "bytes", 400, 6, () => true);
  const names = stations.filter((station) => station.column === 1).map(({ name }) => name);
  assert.ok(names.some((name) => name.startsWith("P1.run")), names.join());
  assert.ok(!names.some((name) => name.startsWith("P12.run")), names.join());
});
