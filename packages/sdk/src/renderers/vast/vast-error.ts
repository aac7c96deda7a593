/** The error codes of VAST 4.2, section 2.3.6.3, that this player reports. */
export const VAST_ERROR = {
  xml: 100,
  schema: 101,
  version: 102,
  wrapperTimeout: 301,
  wrapperLimit: 302,
  noAd: 303,
  linear: 400,
  notFound: 401,
  mediaTimeout: 402,
  noMedia: 403,
  display: 405,
} as const;

/** A document or media file that cannot be played. `urls` are the Error addresses known by then. */
export class VastError extends Error {
  readonly code: number;
  readonly urls: readonly string[];

  constructor(code: number, message: string, urls: readonly string[]) {
    super(message);
    this.code = code;
    this.urls = urls;
  }
}
