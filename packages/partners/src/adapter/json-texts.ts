/** A part of a JSON text. An ASCII text has as many bytes as characters, so that nobody has to count them. */
export interface Piece {
  text: string;
  isAscii: boolean;
}

// oxlint-disable-next-line no-control-regex -- ASCII includes the control characters
const ASCII = /^[\u0000-\u007f]*$/;

export const pieceOf = (text: string): Piece => ({ text, isAscii: ASCII.test(text) });

export const NOTHING: Piece = { text: "", isAscii: true };

/** Joins pieces with commas, leaving out empty ones. */
export function listed(...pieces: readonly Piece[]): Piece {
  let text = "";
  let isAscii = true;
  for (const piece of pieces) {
    if (piece.text === "") continue;
    text += text === "" ? piece.text : `,${piece.text}`;
    isAscii &&= piece.isAscii;
  }
  return { text, isAscii };
}

/** The fields as JSON without braces, as in `"a":1,"b":2`. Fields that are undefined are left out. */
export const fieldsPiece = (fields: object): Piece => pieceOf(JSON.stringify(fields).slice(1, -1));

/** A set of field names with a number, so that caches by it build no text. */
export interface NameSet {
  id: number;
  names: ReadonlySet<string>;
}
// The names come from the adapters' code, so there are few sets.
const nameSets = new Map<string, NameSet>();

export function nameSet(names: readonly string[]): NameSet {
  const key = [...new Set(names)].sort().join();
  let set = nameSets.get(key);
  if (set === undefined) {
    set = { id: nameSets.size, names: new Set(names) };
    nameSets.set(key, set);
  }
  return set;
}

/** The JSON of an object's fields: each is serialised once, and texts without some of them are joined from these. */
export class FieldTexts {
  readonly #fields: readonly (readonly [name: string, text: Piece])[];
  readonly #joined = new Map<number, Piece>();

  constructor(object: object) {
    this.#fields = Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, pieceOf(`${JSON.stringify(name)}:${JSON.stringify(value)}`)] as const);
  }

  /** The fields without braces, but for those named. */
  without(left: NameSet): Piece {
    let joined = this.#joined.get(left.id);
    if (joined === undefined) {
      joined = listed(...this.#fields.filter(([name]) => !left.names.has(name)).map(([, text]) => text));
      this.#joined.set(left.id, joined);
    }
    return joined;
  }
}
