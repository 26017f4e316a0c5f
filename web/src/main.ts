// Reads what the page carries and shows it.
import { diffPage } from "./diff.ts";
import { el } from "./dom.ts";
import { flowsPage } from "./flows.ts";
import { Model } from "./model.ts";
import type { PageJson } from "./pagejson.ts";
import { processLine, processTitle } from "./process.ts";
import { profilesPage } from "./profiles.ts";
import { themeButton } from "./theme.ts";

function show(json: PageJson): void {
  const model = new Model(json);
  const title = json.title ?? "Buftrail flows";
  const { process, takenAt } = json;
  document.title = process ? `${processTitle(process)}: ${title}` : title;
  const about = process ? el("p", { class: "taken about" }, ...processLine(process, Date.parse(takenAt ?? ""))) : null;
  const taken = json.takenAt
    ? el("p", { class: "taken" }, "Taken ", el("time", { datetime: json.takenAt }, json.takenAt.replace("T", " ").replace("Z", " UTC")))
    : null;
  const header = el("header", {}, el("div", {}, el("h1", {}, title), about, taken), themeButton());
  const main = el("main", {}, ...sections(model));
  document.body.replaceChildren(header, main);
}

function sections(model: Model): HTMLElement[] {
  switch (model.json.kind) {
    case "flows":
      return flowsPage(model);
    case "profiles":
      return profilesPage(model);
    case "diff":
      return diffPage(model);
  }
}

try {
  const data = document.getElementById("model") as HTMLScriptElement;
  show(JSON.parse(data.textContent as string) as PageJson);
} catch (error) {
  document.body.replaceChildren(
    el("main", {}, el("h1", {}, "This report cannot be shown"), el("p", {}, error instanceof Error ? error.message : String(error))),
  );
}
