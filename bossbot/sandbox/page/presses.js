// Buttons that are being pressed: shown busy until the platform has carried the press out.

export class Presses {
  #busy = new Set();
  #changed;

  /** `changed()` is called when a button becomes busy or free. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** A number that differs when the busy buttons of a message differ. */
  signature(message) {
    return [...this.#busy].filter((key) => key.startsWith(`${message}\n`)).join();
  }

  isBusy(message, button) {
    return this.#busy.has(`${message}\n${button}`);
  }

  /** Mark a button busy while `work()` runs, and hand on what it returns. */
  async during(message, button, work) {
    const key = `${message}\n${button}`;
    this.#busy.add(key);
    this.#changed();
    try {
      return await work();
    } finally {
      this.#busy.delete(key);
      this.#changed();
    }
  }
}
