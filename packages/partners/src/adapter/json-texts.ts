/** A part of a JSON text. An ASCII text has as many bytes as characters, so that nobody has to count them. */
export interface Piece {
  text: string;
  isAscii: boolean;
}

// oxlint-disable-next-line no-control-regex -- ASCII includes the control characters
const ASCII = /^[\u0000-\u007f]*$/;

export const pieceOf = (text: string): Piece => ({ text, isAscii: ASCII.test(text) });

export const NOTHING: Piece = { text: "", isAscii: true };

/** Joins two pieces with a comma, unless one of them is empty. */
export function joined(one: Piece, other: Piece): Piece {
  if (other.text === "") return one;
  if (one.text === "") return other;
  return { text: `${one.text},${other.text}`, isAscii: one.isAscii && other.isAscii };
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

/** The JSON of an object's fields, with or without some of them: serialised once for each set that is left out. */
export class FieldTexts {
  readonly #object: object;
  readonly #byLeft: (Piece | undefined)[] = [];

  constructor(object: object) {
    this.#object = object;
  }

  /** The fields without braces, but for those named. */
  without({ id, names }: NameSet): Piece {
    let piece = this.#byLeft[id];
    if (piece === undefined) {
      this.#byLeft[id] = piece = fieldsPiece(without(this.#object, names));
    }
    return piece;
  }
}

function without(object: object, names: ReadonlySet<string>): object {
  const kept: Record<string, unknown> = { ...object };
  for (const name of names) delete kept[name];
  return kept;
}
