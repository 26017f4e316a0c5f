// Asks the agent. The token travels in a header, never in a cookie or an address.
import { PAGE_FORMAT, PAGE_VERSION } from "../src/model.ts";
import type { PageJson, ResidentJson } from "../src/pagejson.ts";
import { messageOf } from "../src/section.ts";

const KEY = "buftrail.token";
/** A JVM that hangs takes the connection and answers nothing. */
const TIME_OUT = 10_000;
const LONGEST_REASON = 200;

/** There is no answer to show. The message gives the reason, as the end of a sentence. */
export class NoAnswer extends Error {}

/** There was no connection, no answer in time, or the connection broke off. */
class Unreachable extends NoAnswer {}

/** The JVM answered with an error. */
export class Refused extends NoAnswer {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** The JVM answers, with something else than was asked for. */
class Unreadable extends NoAnswer {}

let token = "";

/**
 * Takes the token out of the address, so that it stays in no history and on no screenshot.
 * @returns whether there was one
 */
export function takeToken(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    setToken(given);
    history.replaceState(null, "", location.pathname);
    return true;
  }
  try {
    token = sessionStorage.getItem(KEY) ?? "";
  } catch {
    token = "";
  }
  return false;
}

export function setToken(text: string): void {
  token = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The token then holds for this view.
  }
}

/**
 * Asks, and reads the whole answer: a connection may break off in the middle of it.
 * @throws NoAnswer if the answer is not marked as the agent's
 */
async function request(path: string, init: RequestInit = {}): Promise<Blob> {
  const headers: Record<string, string> = { "X-Buftrail": "1" };
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  const signal = AbortSignal.timeout(TIME_OUT);
  let response: Response;
  let body: Blob;
  try {
    response = await fetch(path, { ...init, headers, signal, cache: "no-store", credentials: "omit" });
    body = await response.blob();
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    throw new Unreachable(isLate ? `the JVM has not answered within ${TIME_OUT / 1000} s` : "the JVM cannot be reached");
  }
  if (!response.ok) {
    throw new Refused(response.status, `the JVM answered ${firstLine(await body.text()) || response.status}`);
  }
  return body;
}

/** Whatever else listens on this port may answer with HTML. */
function firstLine(text: string): string {
  const [line] = text.trim().split("\n");
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/** What went wrong, in words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreachable) {
    return `No answer: ${error.message}`;
  }
  return error instanceof NoAnswer ? `No usable answer: ${error.message}` : `This page failed, not the JVM: ${messageOf(error)}`;
}

async function readJson<T>(path: string, body: Blob): Promise<T> {
  try {
    return JSON.parse(await body.text()) as T;
  } catch (error) {
    throw new Unreadable(`what the JVM sent for ${path} cannot be read (${messageOf(error)})`);
  }
}

export async function getJson<T>(path: string): Promise<T> {
  return readJson(path, await request(path));
}

/** What the page shows; an agent of another version than this page may send something else. */
export async function getFlows(): Promise<PageJson> {
  const flows = await getJson<PageJson | null>("/api/flows");
  if (flows?.format !== PAGE_FORMAT || flows.version !== PAGE_VERSION) {
    throw new Unreadable("what the JVM sent for /api/flows is not what this page shows; load the page again");
  }
  return flows;
}

/** Who shares the resident set of the process, or why that is not known. */
export async function getResident(): Promise<ResidentJson> {
  const { takenAt, unknown, resident } = await getJson<{ takenAt?: string; unknown?: string; resident?: ResidentJson }>("/api/process");
  return resident ? { ...resident, takenAt } : { owners: [], limits: [], unknown: unknown ?? "the JVM does not say" };
}

export async function post<T>(path: string): Promise<T> {
  return readJson(path, await request(path, { method: "POST" }));
}

/** Saves what is at an address, which a plain link could not: it carries no token. */
export async function download(path: string, name: string): Promise<void> {
  const blob = await request(path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
