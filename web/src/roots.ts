// What the first hop of a path is called: its allocator and the memory, since the names of methods begin and end alike.
import type { Model } from "./model.ts";

const ALLOCATOR = /^(?:(\w*?)(?:ByteBuf)?Allocator|(Unpooled))\.(\w*?)buffer$/i;

/** `Pooled direct`, `Adaptive composite heap`; a method that is none of an allocator's keeps its name. */
export function rootName(model: Model, path: number): string {
  const name = model.shortPlace(model.trie.pathTo(model.paths.node[path])[0]);
  const memory = model.memory(path);
  if (memory === "resource" || model.isInTransit(model.paths.node[path])) {
    return name;
  }
  return allocatorName(name, memory) ?? `${name}, ${memory}`;
}

/** Like `rootName` for the short name of a method; null for one that is none of an allocator's. */
export function allocatorName(name: string, memory: string): string | null {
  const found = ALLOCATOR.exec(name);
  if (!found) {
    return null;
  }
  const [, allocator, unpooled, method] = found;
  return [unpooled ?? (allocator || "Allocator"), method.replace(/(direct|heap|^io)$/i, ""), memory].filter(Boolean).join(" ");
}
