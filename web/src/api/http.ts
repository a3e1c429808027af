// One request to the API: its address, its errors as sentences, and nothing about what is asked.

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

export type ParamValue = string | number | boolean | undefined | null | readonly (string | number)[];
export type Params = Record<string, ParamValue>;

// Servers and proxies refuse longer request lines; longer questions are asked in parts.
export const MAX_QUERY_LENGTH = 7000;

// Below the page's own folder, so that it works behind any path prefix.
export function apiRoot(): string {
  return new URL("api/v1/", document.baseURI).href;
}

export function queryString(params: Params): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) ? (value as readonly (string | number)[]) : [value];
    for (const each of values) {
      const text = each === true ? "1" : each === false ? "0" : String(each);
      parts.push(`${name}=${encodeURIComponent(text)}`);
    }
  }
  return parts.join("&");
}

export function urlOf(route: string, params: Params = {}): string {
  const query = queryString(params);
  return apiRoot() + route + (query ? `?${query}` : "");
}

export async function request(route: string, params: Params = {}, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(urlOf(route, params), { credentials: "same-origin", ...init });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") throw failure;
    throw new ApiError("offline", "The server does not answer. Is `tensortap serve` still running?", 0);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

export async function requestJson<T>(route: string, params?: Params, signal?: AbortSignal): Promise<T> {
  const response = await request(route, params, signal ? { signal } : {});
  return (await response.json()) as T;
}

export async function requestBytes(route: string, params?: Params, signal?: AbortSignal) {
  const response = await request(route, params, signal ? { signal } : {});
  return { bytes: await response.arrayBuffer(), headers: response.headers };
}

async function errorOf(response: Response): Promise<ApiError> {
  if (response.status === 401) {
    return new ApiError(
      "unauthorized",
      "The server has been started again and has a new key. Open the new address that `tensortap serve` printed.",
      401,
    );
  }
  try {
    const body = (await response.json()) as { error?: { code?: string; message?: string } };
    if (body.error?.message) return new ApiError(body.error.code ?? "unknown", body.error.message, response.status);
  } catch {
    // Not JSON: something between the page and the server answered.
  }
  return new ApiError("unknown", `The server answered ${response.status} ${response.statusText}`.trim() + ".", response.status);
}

// Splits the values of one repeated parameter so that each request line stays short.
export function splitByLength(values: readonly string[], name: string, taken: number): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let length = taken;
  for (const value of values) {
    const cost = name.length + 2 + encodeURIComponent(value).length;
    if (part.length > 0 && length + cost > MAX_QUERY_LENGTH) {
      parts.push(part);
      part = [];
      length = taken;
    }
    part.push(value);
    length += cost;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

export function toNumber(value: unknown): number {
  // "NaN", "Infinity" and "-Infinity" are what Number() reads too.
  return value === null || value === undefined ? NaN : Number(value);
}
