/**
 * A reason why the platform cannot start that a person can act on. `main` prints the message alone, without a
 * stack, and exits with 1: so the message is a whole sentence that says what is wrong and what to do.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
