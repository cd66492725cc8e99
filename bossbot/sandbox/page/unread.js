// How many messages of others a person has not seen in a place. What was there when the page opened is seen.

export class Unread {
  #seen = new Map();
  #primed = false;

  /** Count per place: [{key, numbers: [order of each message by others], isOpen}] → Map key → count. */
  count(places) {
    const counts = new Map();
    for (const { key, numbers, isOpen } of places) {
      const newest = numbers.length ? Math.max(...numbers) : 0;
      const known = this.#seen.get(key) ?? (this.#primed ? 0 : newest);
      const seen = isOpen ? newest : Math.min(known, newest); // a reset makes numbers small again
      this.#seen.set(key, seen);
      counts.set(key, numbers.filter((number) => number > seen).length);
    }
    this.#primed ||= places.length > 0;
    return counts;
  }
}
