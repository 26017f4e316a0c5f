// The page that the agent serves: the report, refreshed while nobody is reading in it.
import { el, onWindow } from "../src/dom.ts";
import { flowsPage, headlineSection } from "../src/flows.ts";
import { helpButton } from "../src/help.ts";
import { openMenu } from "../src/menu.ts";
import { Model } from "../src/model.ts";
import type { PageJson, ResidentJson } from "../src/pagejson.ts";
import { askFirst } from "../src/question.ts";
import { faultLine, showIn } from "../src/section.ts";
import { themeButton } from "../src/theme.ts";
import { age, bytes, count, plural, time } from "../src/words.ts";
import { About, type AboutJson } from "./about.ts";
import { download, getFlows, getJson, getResident, NoAnswer, post, reasonOf, Refused, setToken, takeToken } from "./api.ts";
import { Chart, type HistoryJson } from "../src/chart.ts";
import type { MinutesJson } from "../src/minutes.ts";
import { Threads } from "./threads.ts";

const SHORTEST_WAIT = 5_000;
const LONGEST_WAIT = 30_000;
/** Share of the time that asking and drawing may take, as its inverse. */
const WAIT_FACTOR = 20;
/** How often the process's memory is looked at, for which the kernel walks all of it. */
const PROCESS_MILLIS = 60_000;
/** How long somebody reads on after the last click or key. */
const READING_MILLIS = 60_000;
const DOWNLOADS: [string, string][] = [
  ["json", "JSON"],
  ["html", "HTML"],
  ["otlp", "OTLP"],
  ["pb.gz", "pprof"],
  ["txt", "text"],
];

class LivePage {
  private readonly status = el("p", { class: "taken", role: "status" }, "Connecting");
  private readonly about = new About();
  private readonly chart = new Chart(false, async () => (await getJson<{ minutes?: MinutesJson }>("/api/minutes")).minutes ?? null);
  private readonly threads = new Threads();
  private readonly stale = el("button", { type: "button", class: "stale", hidden: true, click: () => this.redrawLatest() });
  private readonly note = el("p", { class: "note", role: "status" });
  private readonly report = el("div", { class: "report" });
  private readonly noSnapshots = el("span", { class: "taken", hidden: true }, "for that, start with snapshotDir=DIR");
  private readonly snapshot = el("button", { type: "button", click: () => void this.act(async () => `Written to ${(await post<{ file: string }>("/api/snapshot")).file}`) }, "Write a snapshot file");
  /** Stays in view while what is shown is not of now. */
  private readonly outdated = el("p", { class: "outdated", hidden: true });
  private readonly fault = faultLine();
  private readonly aboutHolder = el("div");
  private readonly chartHolder = el("div");
  private readonly chartNote = el("p", { class: "note", hidden: true });
  private readonly threadsHolder = el("div");
  private readonly main = el("main", {}, this.fault, this.outdated, this.actions(), this.note, this.chartHolder, this.chartNote, this.stale, this.report, this.threadsHolder);
  private readonly pauseButton: HTMLButtonElement;
  private paused = false;
  /** What the last refresh took, in milliseconds. */
  private cost = 0;
  private resident: ResidentJson | null = null;
  private residentAt = -PROCESS_MILLIS;
  private touchedAt = -READING_MILLIS;
  private shown: PageJson | null = null;
  private latest: PageJson | null = null;
  /** Ends the question for the token, if it is asked. */
  private answered = () => {};

  constructor() {
    this.pauseButton = el("button", { type: "button", "aria-pressed": "false", click: () => this.togglePause() }, "Pause");
    const title = el("div", {}, el("h1", {}, "Buftrail live"), this.aboutHolder, this.status);
    document.body.replaceChildren(el("header", {}, title, el("div", { class: "tools" }, this.pauseButton, helpButton(), themeButton())), this.main);
  }

  async run(): Promise<void> {
    // The printed address, pasted into this very tab, loads nothing anew.
    onWindow("hashchange", "token", () => {
      if (takeToken()) {
        this.answered();
      }
    });
    for (const event of ["pointerdown", "pointermove", "keydown", "wheel"]) {
      this.report.addEventListener(event, () => (this.touchedAt = performance.now()), { passive: true });
    }
    for (;;) {
      if (!this.paused && !document.hidden) {
        await this.refresh().catch((error: unknown) => this.failed(error));
      }
      const wait = Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, this.cost * WAIT_FACTOR));
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** A fault of the page, even where it says what is wrong; the next refresh comes all the same. */
  private failed(error: unknown): void {
    console.error(error);
    this.status.textContent = `${reasonOf(error)}. Trying again`;
    this.status.classList.add("lost");
  }

  private async refresh(): Promise<void> {
    const began = performance.now();
    try {
      const history = getJson<HistoryJson>("/api/history").catch((error: unknown) => reasonOf(error));
      const flows = await getFlows();
      await Promise.all([this.learn(), this.lookAtProcess()]);
      if (!this.paused) {
        this.show(flows, await history);
      }
      this.cost = performance.now() - began;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        await this.askForToken();
        await this.refresh();
      } else {
        this.isLost(error);
      }
    }
  }

  /** What was known stays while there is no answer. */
  private async lookAtProcess(): Promise<void> {
    if (performance.now() - this.residentAt >= PROCESS_MILLIS) {
      this.residentAt = performance.now();
      try {
        this.resident = await getResident();
      } catch (error) {
        this.resident ??= { owners: [], limits: [], unknown: reasonOf(error) };
      }
    }
  }

  private show(flows: PageJson, history: HistoryJson | string): void {
    if (this.resident !== null) {
      flows.resident = this.resident;
    }
    const model = new Model(flows);
    const at = Date.parse(flows.takenAt ?? "");
    this.latest = flows;
    this.status.textContent = `As of ${time(at)}, refreshed by itself`;
    this.isLost(null);
    showIn(this.aboutHolder, "About", () => {
      this.about.show(at);
      return [this.about.element];
    });
    this.showChart(history);
    showIn(this.threadsHolder, "The agent's threads", () => {
      this.threads.show(flows);
      return [this.threads.element];
    });
    if (this.isBeingRead()) {
      this.showHeadline(model);
    } else {
      this.redraw(model);
    }
  }

  /** @param history or why there is none */
  private showChart(history: HistoryJson | string): void {
    this.chartNote.hidden = typeof history !== "string";
    if (typeof history === "string") {
      this.chartNote.textContent = `The chart is not refreshed. ${history}`;
    } else {
      showIn(this.chartHolder, "Bytes over time", () => {
        this.chart.show(history);
        return [this.chart.element];
      });
    }
  }

  /** What is shown is old, and says so; what leaked stays as it was. */
  private isLost(error: unknown): void {
    const lost = error !== null;
    this.status.classList.toggle("lost", lost);
    this.main.classList.toggle("old", lost);
    this.outdated.hidden = !lost || this.latest === null;
    if (lost) {
      const isAnswered = !(error instanceof NoAnswer);
      const at = (isAnswered ? this.shown : this.latest)?.takenAt;
      const seen = at ? `; what is shown is of ${time(Date.parse(at))}` : "";
      this.status.textContent = `${reasonOf(error)}${seen}. Trying again`;
      this.outdated.textContent = `Not current${at ? `: as of ${time(Date.parse(at))}` : ""}`;
      if (isAnswered) {
        console.error(error);
      }
    }
  }

  /** Shows the process once. The page works without that answer. */
  private async learn(): Promise<void> {
    try {
      if (!this.about.isKnown) {
        this.know(await getJson<AboutJson>("/api/about"));
      }
    } catch (error) {
      this.note.textContent = reasonOf(error);
    }
  }

  private know(about: AboutJson): void {
    this.about.know(about);
    this.snapshot.disabled = !about.snapshots;
    this.snapshot.title = about.snapshots ? "" : "No directory for snapshots was given: start with snapshotDir=DIR";
    this.noSnapshots.hidden = about.snapshots;
  }

  /** Somebody opens, searches or moves in it: drawing anew would take that away. */
  private isBeingRead(): boolean {
    const search = this.report.querySelector<HTMLInputElement>(".search input");
    return (
      this.shown !== null &&
      (performance.now() - this.touchedAt < READING_MILLIS ||
        this.report.querySelector("dialog[open]") !== null ||
        (search !== null && search.value !== ""))
    );
  }

  private redraw(model: Model): void {
    this.touchedAt = -READING_MILLIS;
    if (this.latest !== this.shown) {
      this.shown = this.latest;
      this.report.replaceChildren(...flowsPage(model));
    }
    this.stale.hidden = true;
  }

  private redrawLatest(): void {
    if (this.latest !== null) {
      this.redraw(new Model(this.latest));
    }
  }

  /** The totals stay fresh in any case. */
  private showHeadline(model: Model): void {
    this.report.firstElementChild?.replaceWith(...headlineSection(model));
    const behind = Date.parse(model.json.takenAt ?? "") - Date.parse(this.shown?.takenAt ?? "");
    this.stale.textContent = `Update what is below; it is ${age(Math.max(0, behind))} old`;
    this.stale.hidden = behind <= 0;
  }

  private togglePause(): void {
    this.paused = !this.paused;
    this.pauseButton.setAttribute("aria-pressed", String(this.paused));
    this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
    this.status.textContent = this.paused ? "Paused" : "Connecting";
  }

  private actions(): HTMLElement {
    const button = (label: string, action: () => Promise<string>) =>
      el("button", { type: "button", click: () => void this.act(action) }, label);
    return el(
      "section",
      { class: "live-actions", "aria-label": "Actions" },
      el("button", { type: "button", "aria-haspopup": "menu", click: (event) => this.downloads(event.currentTarget as HTMLElement) }, "Download ▾"),
      this.snapshot,
      this.noSnapshots,
      button("Collect now", () => this.collect()),
      button("Count from 0", async () => {
        if (!(await askFirst("Count from 0", "Count released and leaked buffers from 0 again? What is live stays.", "Count from 0"))) {
          return "";
        }
        await post("/api/reset");
        await this.refresh();
        return "Counting from 0 again";
      }),
    );
  }

  /** Makes leaks of suspects, or clears them of it. */
  private async collect(): Promise<string> {
    if (!(await askFirst("Collect now", "Ask the JVM to collect its garbage? The application pauses as long as its collector makes it.", "Collect now"))) {
      return "";
    }
    this.note.textContent = "Collecting";
    const { collected, leaked, leakedBytes, text } = await post<{ collected: boolean; leaked: number; leakedBytes: number; text: string }>("/api/collect");
    if (!collected) {
      return text;
    }
    await this.refresh();
    this.redrawLatest();
    const open = this.latest?.tracker?.undecided ?? 0;
    const rest = open > 0 ? `${count(open)} of the live ones are undecided` : "what is live is held by somebody";
    return leaked > 0 ? `Collected: ${plural(leaked, "more flow")} leaked, ${bytes(leakedBytes)}${open > 0 ? `; ${rest}` : ""}` : `Collected: no more leaks were found; ${rest}`;
  }

  private downloads(button: HTMLElement): void {
    const items = DOWNLOADS.map(([extension, name]) => ({
      label: name,
      act: () =>
        void this.act(async () => {
          await download(`/api/snapshot.${extension}`, `flows.${extension}`);
          return `flows.${extension} is downloaded`;
        }),
    }));
    const { left, bottom } = button.getBoundingClientRect();
    openMenu("Download", items, left, bottom + 4, button);
  }

  private async act(action: () => Promise<string>): Promise<void> {
    try {
      this.note.textContent = await action();
    } catch (error) {
      this.note.textContent = reasonOf(error);
    }
  }

  private askForToken(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        asking.replaceWith(this.main);
        this.answered = () => {};
        resolve();
      };
      const input = el("input", { type: "password", id: "token", autocomplete: "off", required: true });
      const form = el(
        "form",
        {
          class: "token",
          submit: (event) => {
            event.preventDefault();
            setToken(input.value.trim());
            done();
          },
        },
        el("h2", {}, "Token"),
        el("p", {}, "The application printed it on standard error when it started, at the end of the live page's address."),
        el("label", { for: "token" }, "Token"),
        input,
        el("button", { type: "submit" }, "Show the page"),
      );
      this.status.textContent = "The token is missing or wrong";
      const asking = el("main", {}, form);
      this.answered = done;
      this.main.replaceWith(asking);
      input.focus();
    });
  }
}

takeToken();
void new LivePage().run();
