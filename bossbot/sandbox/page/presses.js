// Buttons that are being pressed: shown busy until the platform has carried the press out.

const LONGEST_MS = 6000;

export class Presses {
  #busy = new Map();
  #changed;

  /** `changed()` is called when a button becomes busy or free. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** A number that differs when the busy buttons of a message differ. */
  signature(message) {
    return [...this.#busy.keys()].filter((key) => key.startsWith(`${message}\n`)).join();
  }

  isBusy(message, button) {
    return this.#busy.has(`${message}\n${button}`);
  }

  /** Mark a button busy while `work()` runs; it is freed by its end, or by the longest wait. */
  async during(message, button, work) {
    const key = `${message}\n${button}`;
    if (this.#busy.has(key)) return;
    const timer = setTimeout(() => this.#free(key), LONGEST_MS);
    this.#busy.set(key, timer);
    this.#changed();
    try {
      await work();
    } finally {
      this.#free(key);
    }
  }

  #free(key) {
    clearTimeout(this.#busy.get(key));
    if (this.#busy.delete(key)) this.#changed();
  }
}
