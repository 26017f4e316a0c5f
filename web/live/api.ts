// Asks the agent. The token travels in a header, never in a cookie or an address.
const KEY = "buftrail.token";
/** A JVM that hangs takes the connection and answers nothing. */
const TIME_OUT = 10_000;

export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

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

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers: Record<string, string> = { "X-Buftrail": "1" };
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  const signal = AbortSignal.timeout(TIME_OUT);
  const response = await fetch(path, { ...init, headers, signal, cache: "no-store", credentials: "omit" });
  if (!response.ok) {
    throw new Refused(response.status, (await response.text()).trim());
  }
  return response;
}

/** Why there is no answer, in words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refused) {
    return error.message;
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `the JVM has not answered within ${TIME_OUT / 1000} s`;
  }
  return error instanceof TypeError ? "the JVM cannot be reached" : error instanceof Error ? error.message : String(error);
}

export async function getJson<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}

export async function post<T>(path: string): Promise<T> {
  return (await (await request(path, { method: "POST" })).json()) as T;
}

/** Saves what is at an address, which a plain link could not: it carries no token. */
export async function download(path: string, name: string): Promise<void> {
  const blob = await (await request(path)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
