// Links from the user's own methods to their source, as the page's address for sources says.
import { el } from "./dom.ts";
import type { Model } from "./model.ts";

/** As the program that wrote the page checks it; what is here may come from elsewhere. */
const ADDRESS = /^(https?|idea|vscode):\/\/[\w.~:/?#@!$&()*+,;=%{}[\]-]+$/;
/** Methods of these are nobody's own, as far as their names say. */
const LIBRARIES =
  /^(java|javax|jakarta|jdk|sun|com\.sun|com\.oracle|org\.graalvm|kotlin|kotlinx|scala|groovy|org\.codehaus|io\.netty|io\.vertx|io\.grpc|io\.micrometer|io\.opentelemetry|io\.projectreactor|io\.lettuce|io\.quarkus|io\.micronaut|reactor|akka|play|org\.springframework|org\.apache|org\.eclipse|org\.hibernate|org\.jboss|org\.slf4j|ch\.qos|com\.fasterxml|com\.google|com\.zaxxer|com\.github|one\.profiler|org\.junit)\./;

/** @returns the address of a frame's source; empty where it has none that is the user's own */
export function sourceOf(model: Model, frame: number): string {
  const { source = "" } = model.json;
  const name = model.frameName(frame).replace(/\(.*$/, "");
  const type = name.slice(0, Math.max(0, name.lastIndexOf("."))).replace(/\$.*$/, "");
  if (!ADDRESS.test(source) || !model.isJava(frame) || !/^[\p{L}\p{N}_.]+$/u.test(type) || LIBRARIES.test(name)) {
    return "";
  }
  const path = type.split(".").map(encodeURIComponent).join("/");
  return source.replaceAll("{path}", `${path}.java`).replaceAll("{line}", String(Math.max(1, model.lines[frame])));
}

/** A link, or the text alone where there is no address. */
export function linked(address: string, ...text: (string | Node | null)[]): (string | Node | null)[] {
  return address === "" ? text : [el("a", { href: address, target: "_blank", rel: "noopener noreferrer", title: "Open its source" }, ...text)];
}

export function openSource(address: string): void {
  (linked(address)[0] as HTMLAnchorElement).click();
}
