import { ChunkedBody } from "./chunked-body.ts";
import type { CallFailure } from "./outcome.ts";
import { readResponseHead } from "./response-head.ts";
import type { ResponseHead } from "./response-head.ts";
import { giveBuffer, takeBuffer } from "./spare-buffers.ts";

const HEAD_END_TEXT = "\r\n\r\n";
const HEAD_END = Buffer.from(HEAD_END_TEXT);
const NO_BYTES = Buffer.alloc(0);
/** A longer head is read the long way round. */
const USUAL_HEAD_BYTES = 640;

export interface ReadLimits {
  maxHeadBytes: number;
  /** Of the body as transferred. */
  maxBodyBytes: number;
}

interface KnownHead {
  head: ResponseHead;
  text: string;
  /** With the empty line that ends it. */
  wire: string;
}

/**
 * Reads one HTTP/1.1 response from pieces of any size. The pieces are views of a buffer that the caller uses again, so
 * what must outlive `read` is copied; a response that arrives in one piece, as most do, is decoded in place.
 */
export class ResponseReader {
  /** The final head, once complete. */
  head: ResponseHead | null = null;
  headText = "";
  /** The body as text, when it came uncompressed. */
  text = "";
  /** The body as it came, when it is compressed. */
  encoded: Buffer = NO_BYTES;
  failure: CallFailure = "not_http";
  /** Bytes followed the response although nothing was asked. */
  hasExcess = false;

  readonly #limits: ReadLimits;
  #pending: Buffer = NO_BYTES;
  /** Its first `#bytes` bytes are the body so far; a larger one takes its place when it is full. */
  #store: Buffer = NO_BYTES;
  #bytes = 0;
  #chunked: ChunkedBody | null = null;
  /** The previous answer's head: most of a peer's heads are the same within a second. */
  #known: KnownHead | null = null;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** Whether any byte of the response has arrived. */
  get hasBegun(): boolean {
    return this.head !== null || this.#pending.length > 0;
  }

  /** Forgets the response: for the next one, or because nobody reads it to its end. */
  reset(): void {
    this.#giveStore();
    this.head = null;
    this.headText = "";
    this.text = "";
    this.encoded = NO_BYTES;
    this.hasExcess = false;
    this.#pending = NO_BYTES;
    this.#bytes = 0;
    this.#chunked = null;
  }

  /** Takes the first `length` bytes of a buffer that the caller reuses. */
  read(buffer: Buffer, length: number): "more" | "done" | "failed" {
    if (this.head !== null) return this.#readBody(buffer.subarray(0, length));
    if (this.#pending.length > 0) return this.#readHead(Buffer.concat([this.#pending, buffer.subarray(0, length)]));
    return this.#readWhole(buffer, length) ? "done" : this.#readHead(buffer.subarray(0, length));
  }

  /** Fast path: most answers arrive in one piece with their length. */
  #readWhole(buffer: Buffer, length: number): boolean {
    const start = buffer.toString("latin1", 0, Math.min(length, USUAL_HEAD_BYTES));
    const known = this.#known !== null && start.startsWith(this.#known.wire) ? this.#known : this.#readKnown(start);
    if (known === null) return false;
    const { head, text, wire } = known;
    if (head.length !== length - wire.length || head.length > this.#limits.maxBodyBytes) return false;
    this.head = head;
    this.headText = text;
    this.text = head.length === 0 ? "" : buffer.toString("utf8", wire.length, length);
    return true;
  }

  /** Reads and remembers the head at the start, where it is one that says how long its plain body is. */
  #readKnown(start: string): KnownHead | null {
    const end = start.indexOf(HEAD_END_TEXT);
    if (end === -1 || end > this.#limits.maxHeadBytes) return null;
    const text = start.slice(0, end);
    const head = readResponseHead(text);
    const isPlain = head?.framing === "length" || (head?.framing === "none" && head.status >= 200);
    if (!isPlain || head.encoding !== "") return null;
    this.#known = { head, text, wire: start.slice(0, end + HEAD_END.length) };
    return this.#known;
  }

  /** The peer has closed its side: the regular end of a body without a length, a premature end of any other. */
  end(): "done" | "failed" {
    if (this.head?.framing === "until_close") return this.#finish();
    return this.#fail("closed_early");
  }

  #readHead(bytes: Buffer): "more" | "done" | "failed" {
    let all = bytes;
    for (;;) {
      const end = all.indexOf(HEAD_END);
      if (end === -1) {
        if (all.length > this.#limits.maxHeadBytes) return this.#fail("too_large");
        if (!couldBeHttp(all)) return this.#fail("not_http");
        this.#pending = Buffer.from(all);
        return "more";
      }
      if (end > this.#limits.maxHeadBytes) return this.#fail("too_large");
      const text = all.toString("latin1", 0, end);
      const head = readResponseHead(text);
      // 101 would accept an upgrade, which is never requested.
      if (head === null || head.status === 101) return this.#fail("not_http");
      all = all.subarray(end + HEAD_END.length);
      if (head.status < 200) {
        this.#pending = NO_BYTES;
        if (all.length === 0) return "more";
        continue;
      }
      this.head = head;
      this.headText = text;
      this.#pending = NO_BYTES;
      return this.#startBody(head, all);
    }
  }

  #startBody(head: ResponseHead, rest: Buffer): "more" | "done" | "failed" {
    switch (head.framing) {
      case "none":
        this.hasExcess = rest.length > 0;
        return "done";
      case "length":
        if (head.length > this.#limits.maxBodyBytes) return this.#fail("too_large");
        if (rest.length >= head.length && head.encoding === "") {
          this.hasExcess = rest.length > head.length;
          this.text = rest.toString("utf8", 0, head.length);
          return "done";
        }
        return this.#readBody(rest);
      case "chunked":
        this.#chunked = new ChunkedBody();
        return this.#readBody(rest);
      case "until_close":
        return this.#readBody(rest);
    }
  }

  #readBody(bytes: Buffer): "more" | "done" | "failed" {
    const head = this.head as ResponseHead;
    if (this.#chunked) {
      const read = this.#chunked.read(bytes, (data) => this.#keep(data));
      if (read === -2) return this.#fail(this.#bytes > this.#limits.maxBodyBytes ? "too_large" : "not_http");
      if (read === -1) return "more";
      this.hasExcess = read < bytes.length;
      return this.#finish();
    }
    if (head.framing === "until_close") return this.#keep(bytes) ? "more" : this.#fail("too_large");
    const missing = head.length - this.#bytes;
    this.hasExcess = bytes.length > missing;
    this.#keep(this.hasExcess ? bytes.subarray(0, missing) : bytes);
    return this.#bytes === head.length ? this.#finish() : "more";
  }

  /** Copies a piece; false above the limit. */
  #keep(data: Buffer): boolean {
    const bytes = this.#bytes + data.length;
    if (bytes > this.#limits.maxBodyBytes) {
      this.#bytes = bytes;
      return false;
    }
    if (bytes > this.#store.length) {
      const larger = takeBuffer(bytes);
      this.#store.copy(larger, 0, 0, this.#bytes);
      this.#giveStore();
      this.#store = larger;
    }
    data.copy(this.#store, this.#bytes);
    this.#bytes = bytes;
    return true;
  }

  #finish(): "done" {
    const body = this.#store.subarray(0, this.#bytes);
    if (this.head?.encoding === "") {
      this.text = body.toString("utf8");
      this.#giveStore();
    } else {
      // Whoever inflates it keeps it.
      this.encoded = body;
      this.#store = NO_BYTES;
    }
    return "done";
  }

  #giveStore(): void {
    if (this.#store.length > 0) giveBuffer(this.#store);
    this.#store = NO_BYTES;
  }

  #fail(failure: CallFailure): "failed" {
    this.failure = failure;
    this.#giveStore();
    return "failed";
  }
}

const START = "HTTP/1.";
/** Garbage is recognised by its first bytes, not by waiting for a head that never ends. */
const couldBeHttp = (bytes: Buffer) =>
  START.startsWith(bytes.toString("latin1", 0, Math.min(bytes.length, START.length)));
