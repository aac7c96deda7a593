/** Every failure a caller can expect, with its HTTP status. */
export const PROBLEMS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unprocessable: 422,
  too_early: 425,
  too_many: 429,
  unavailable: 503,
} as const satisfies Record<string, number>;
export type ProblemCode = keyof typeof PROBLEMS;

/** An expected failure: `error` is the sentence, or the sentence for each wrong field, that the caller reads. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly error: string | Record<string, string>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, error: string | Record<string, string>, options: { retryAfterSeconds?: number } = {}) {
    super(
      typeof error === "string"
        ? error
        : Object.entries(error)
            .map(([field, text]) => `${field}: ${text}`)
            .join("; "),
    );
    this.name = "Problem";
    this.code = code;
    this.error = error;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return PROBLEMS[this.code];
  }
}

/** No user is signed in, or the session has ended. */
export const notSignedIn = (): Problem => new Problem("unauthenticated", "Please log in");

/** An access token is unknown or revoked, or its owner is blocked. */
export const unknownToken = (): Problem => new Problem("unauthenticated", "This access token is not valid");
