/** Bytes of a chunk-size line or of the trailers beyond which a peer is only wasting our time. */
const MAX_LINE_BYTES = 4096;
/** A body cut into single bytes costs far more to read than to send. */
const MAX_CHUNKS = 10_000;

type State = "size" | "data" | "data_end" | "trailer";

/** Decodes a chunked body piece by piece (RFC 9112, section 7.1). Extensions and trailers are read over. */
export class ChunkedBody {
  #state: State = "size";
  #line = "";
  #left = 0;
  #trailerBytes = 0;
  #chunks = 0;

  /**
   * Takes the next bytes; `keep` gets each piece of data, a view that is only valid during the call. Returns how many bytes
   * were read when the body has ended, -1 when it goes on, -2 when it is broken.
   */
  read(bytes: Buffer, keep: (data: Buffer) => boolean): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "data") {
        const end = Math.min(bytes.length, at + this.#left);
        if (!keep(bytes.subarray(at, end))) return -2;
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#state = "data_end";
        continue;
      }
      const line = this.#readLine(bytes, at);
      at = line.next;
      if (line.broken) return -2;
      if (line.text === null) return -1;
      const ended = this.#takeLine(line.text);
      if (ended === "broken") return -2;
      if (ended === "done") return at;
    }
    return -1;
  }

  #takeLine(text: string): "go_on" | "broken" | "done" {
    if (this.#state === "data_end") {
      this.#state = "size";
      return text === "" ? "go_on" : "broken";
    }
    if (this.#state === "trailer") {
      this.#trailerBytes += text.length;
      if (this.#trailerBytes > MAX_LINE_BYTES) return "broken";
      return text === "" ? "done" : "go_on";
    }
    const size = /^([0-9a-f]{1,8})[ \t]*(;.*)?$/i.exec(text);
    if (!size || ++this.#chunks > MAX_CHUNKS) return "broken";
    this.#left = Number.parseInt(size[1] ?? "", 16);
    this.#state = this.#left === 0 ? "trailer" : "data";
    return "go_on";
  }

  #readLine(bytes: Buffer, from: number): { text: string | null; next: number; broken: boolean } {
    const end = bytes.indexOf(10, from);
    const part = bytes.toString("latin1", from, end === -1 ? bytes.length : end);
    const text = this.#line + part;
    if (text.length > MAX_LINE_BYTES) return { text: null, next: bytes.length, broken: true };
    if (end === -1) {
      this.#line = text;
      return { text: null, next: bytes.length, broken: false };
    }
    this.#line = "";
    // A bare line feed is not a line end: two parsers that disagree on it allow request smuggling.
    if (!text.endsWith("\r")) return { text: null, next: end + 1, broken: true };
    return { text: text.slice(0, -1), next: end + 1, broken: false };
  }
}
