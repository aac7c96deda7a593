import type { Clock } from "./host.ts";

/** Every code of a failure. The SDK's README explains each. */
export const ERROR_CODES = [
  "options",
  "not_initialized",
  "disabled",
  "consent_pending",
  "network",
  "timeout",
  "blocked",
  "refused",
  "too_many",
  "server",
  "bad_reply",
  "no_ad",
  "render",
  "budget",
  "busy",
  "not_ready",
  "expired",
  "destroyed",
  "callback",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface Failure {
  code: ErrorCode;
  message: string;
}

/** An expected failure, which becomes one event and one result. */
export class SdkError extends Error {
  // Declared alone: a field of its own would need a helper of the bundler's.
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Any error that is not an `SdkError` came from an ad or from the app's code. */
export const failureOf = (cause: unknown, otherwise: ErrorCode = "callback"): Failure => ({
  code: cause instanceof SdkError ? cause.code : otherwise,
  message: messageOf(cause),
});

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

export interface Limited<T> {
  /** Settles with the work, or rejects at the limit or when ended, whichever comes first. */
  result: Promise<T>;
  /** Rejects `result` now, unless it has settled. */
  end(why: SdkError): void;
}

/** Limits the time of a piece of work. The work itself goes on; whoever started it must discard a late result. */
export function within<T>(clock: Clock, limitMs: number, work: Promise<T>, late: () => SdkError): Limited<T> {
  let end: (why: SdkError) => void = () => {};
  const result = new Promise<T>((resolve, reject) => {
    const cancel = clock.after(limitMs, () => reject(late()));
    end = (why) => {
      cancel();
      reject(why);
    };
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (cause: unknown) => {
        cancel();
        reject(cause instanceof Error ? cause : new Error(String(cause)));
      },
    );
  });
  return { result, end };
}
