/**
 * A reason why the platform cannot start that a person can fix. `main` prints only the message, without a stack, and
 * exits with 1; so the message is a whole sentence with the problem and its fix.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
