/**
 * A reason why the platform cannot start that a person can fix. `main` prints only the message, without a stack, and
 * exits with 1; so the message is a whole sentence with the problem and its fix.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}

const TOO_MANY_FILES = new Set(["EMFILE", "ENFILE"]);

/** What the command prints of an error that ends it: a sentence if the operator can act on it, else its stack. */
export function failureText(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  // Everything that opens a file or a socket may be the one that meets the limit.
  if (TOO_MANY_FILES.has(code)) {
    return `Too many files are open (${code}): raise the limit of open files to 4096 or more, with \`ulimit -n\` or systemd's LimitNOFILE.`;
  }
  return error.stack ?? error.message;
}
