// Reads what the page carries and shows it.
import { diffPage } from "./diff.ts";
import { el } from "./dom.ts";
import { flowsPage } from "./flows.ts";
import { helpButton } from "./help.ts";
import { Model } from "./model.ts";
import type { PageJson } from "./pagejson.ts";
import { processLine, processTitle } from "./process.ts";
import { profilesPage } from "./profiles.ts";
import { faultLine, guarded, messageOf } from "./section.ts";
import { themeButton } from "./theme.ts";

function show(json: PageJson): void {
  const model = new Model(json);
  const title = json.title ?? "Buftrail flows";
  const { process } = json;
  document.title = process ? `${processTitle(process)}: ${title}` : title;
  const about = el("div", {}, el("h1", {}, title), ...guarded("About", () => taken(json)));
  const fault = faultLine();
  document.body.replaceChildren(el("header", {}, about, el("div", { class: "page-tools" }, helpButton(), themeButton())), el("main", {}, fault, ...sections(model)));
}

/** Shows the process and the time of the snapshot. */
function taken({ process, takenAt }: PageJson): HTMLElement[] {
  const about = process ? [el("p", { class: "taken about" }, ...processLine(process, Date.parse(takenAt ?? "")))] : [];
  const at = takenAt
    ? [el("p", { class: "taken" }, "Taken ", el("time", { datetime: takenAt }, takenAt.replace("T", " ").replace("Z", " UTC")))]
    : [];
  return [...about, ...at];
}

function sections(model: Model): HTMLElement[] {
  switch (model.json.kind) {
    case "flows":
      return flowsPage(model);
    case "profiles":
      return profilesPage(model);
    case "diff":
      return diffPage(model);
    default:
      throw new Error(`the page is of the kind ${String(model.json.kind)}, which it cannot show`);
  }
}

try {
  const data = document.getElementById("model") as HTMLScriptElement;
  show(JSON.parse(data.textContent as string) as PageJson);
} catch (error) {
  console.error(error);
  document.body.replaceChildren(el("main", {}, el("h1", {}, "This report cannot be shown"), el("p", {}, messageOf(error))));
}
