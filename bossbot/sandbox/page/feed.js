// The page's connection to the control API: state, calls, live events, and what the person does.
//
// It outlives its server: when the stream breaks it is opened again, and everything is fetched anew.

const STATE_GAP_MS = 125; // at most eight state fetches a second, however many changes arrive
const STATE_RETRY_MS = 1500;
const RETRY_MIN_MS = 400;
const RETRY_MAX_MS = 4000;
const PLATFORMS = ["telegram", "slack"];

/** Follows the sandbox. `on` is {state(state), calls(list), call(entry), status(isLive)}. */
export class Feed {
  #on;
  #source = null;
  #retryMs = RETRY_MIN_MS;
  #lastFetch = -Infinity;
  #fetching = false;
  #isLive = false;
  #wanted = false;
  #timer = 0;

  constructor(on) {
    this.#on = on;
  }

  /** Open the event stream, and open it again whenever it breaks. */
  connect() {
    const source = new EventSource("/sandbox/events");
    this.#source = source;
    source.addEventListener("open", () => this.#opened());
    source.addEventListener("change", () => this.poke());
    source.addEventListener("feed", () => this.poke());
    source.addEventListener("call", (event) => this.#on.call(JSON.parse(event.data)));
    source.addEventListener("error", () => this.#broken(source));
  }

  #opened() {
    this.#retryMs = RETRY_MIN_MS;
    this.#isLive = true;
    this.#on.status(true);
    this.reload();
  }

  /** Fetch everything anew: state and calls. */
  reload() {
    this.poke();
    this.#fetchCalls();
  }

  #broken(source) {
    if (source !== this.#source) return;
    source.close();
    this.#isLive = false;
    this.#on.status(false);
    setTimeout(() => this.connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 1.6, RETRY_MAX_MS);
  }

  /** Something changed: fetch the state soon, once for all changes that arrive until then. */
  poke() {
    if (this.#fetching) {
      this.#wanted = true;
    } else if (!this.#timer) {
      const wait = Math.max(0, this.#lastFetch + STATE_GAP_MS - performance.now());
      this.#timer = setTimeout(() => this.#fetchState(), wait);
    }
  }

  async #fetchState() {
    this.#timer = 0;
    this.#fetching = true;
    this.#wanted = false;
    this.#lastFetch = performance.now();
    try {
      this.#on.state(await getJson("/sandbox/state"));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // When the server is gone the stream breaks too, and its return fetches anew; else this may be its only news.
      if (this.#isLive) setTimeout(() => this.poke(), STATE_RETRY_MS);
    } finally {
      this.#fetching = false;
    }
    if (this.#wanted) this.poke();
  }

  async #fetchCalls() {
    try {
      const logs = await Promise.all(PLATFORMS.map((platform) => getJson(`/sandbox/calls?platform=${platform}`)));
      this.#on.calls(logs.flatMap((calls, index) => calls.map((entry) => ({ ...entry, platform: PLATFORMS[index] }))));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }
}

/** A request that the sandbox did not carry out; the message is what it said about it. */
export class RequestError extends Error {}

async function request(path, options) {
  let response, body;
  try {
    response = await fetch(path, options);
    body = await response.text();
  } catch (error) {
    throw new RequestError(error.message);
  }
  if (!response.ok) throw new RequestError(reason(body) || `${response.status} ${response.statusText}`);
  try {
    return body ? JSON.parse(body) : null;
  } catch {
    throw new RequestError("the answer is not JSON");
  }
}

function reason(body) {
  try {
    const { error } = JSON.parse(body);
    return typeof error === "string" ? error : JSON.stringify(error);
  } catch {
    return body.slice(0, 200);
  }
}

/** What a path of the control API answers. Throws RequestError. */
export const getJson = (path) => request(path, { cache: "no-store" });

/** Do something as a person: POST a JSON body to the control API. Throws RequestError. */
export function post(path, body) {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}
