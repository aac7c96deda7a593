import { errorMessage } from "./error-message.ts";

const MINUTE_MS = 60_000;
/** Texts that are told apart within a minute. Those beyond count as one, so that texts with ids in them are no flood either. */
const MOST_TEXTS = 20;
const OTHERS = "";

/**
 * Logs failures that may come with every request, as on a full disk: a text's first one at once, and then once a minute how
 * often it came again, until a minute passes without it.
 */
export class RepeatedFailures {
  readonly #write: (facts: object) => void;
  /** How often each text came again since it was last logged. */
  readonly #repeats = new Map<string, number>();

  constructor(write: (facts: object) => void) {
    this.#write = write;
  }

  add(error: unknown, facts: object = {}): void {
    const message = errorMessage(error);
    const text = this.#repeats.has(message) || this.#repeats.size < MOST_TEXTS ? message : OTHERS;
    const repeats = this.#repeats.get(text);
    if (repeats !== undefined) return void this.#repeats.set(text, repeats + 1);
    this.#write({ err: error, ...facts });
    this.#repeats.set(text, 0);
    this.#countLater(text);
  }

  #countLater(text: string): void {
    setTimeout(() => {
      const repeats = this.#repeats.get(text) ?? 0;
      if (repeats === 0) return void this.#repeats.delete(text);
      this.#write({ cause: text === OTHERS ? "others" : text, repeats });
      this.#repeats.set(text, 0);
      this.#countLater(text);
    }, MINUTE_MS).unref();
  }
}
