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

/** The JSON of an object's fields: each is serialised once, however many sets of them are left out. */
export class FieldTexts {
  readonly #object: object;
  #byName: Map<string, Piece> | undefined;
  readonly #byLeft: (Piece | undefined)[] = [];

  constructor(object: object) {
    this.#object = object;
  }

  /** The fields without braces, but for those named. */
  without({ id, names }: NameSet): Piece {
    let kept = this.#byLeft[id];
    if (kept === undefined) {
      kept = NOTHING;
      for (const [name, piece] of this.#texts()) if (!names.has(name)) kept = joined(kept, piece);
      this.#byLeft[id] = kept;
    }
    return kept;
  }

  /** A field if this object is its value; numbers and short texts are serialised as fast as they are looked up. */
  sameAs(name: string, value: unknown): Piece | undefined {
    const isSame = typeof value === "object" && value !== null && Reflect.get(this.#object, name) === value;
    return isSame ? this.#texts().get(name) : undefined;
  }

  #texts(): Map<string, Piece> {
    this.#byName ??= textsOf(this.#object);
    return this.#byName;
  }
}

function textsOf(object: object): Map<string, Piece> {
  const texts = new Map<string, Piece>();
  for (const [name, value] of Object.entries(object)) {
    const json = JSON.stringify(value) as string | undefined;
    if (json !== undefined) texts.set(name, pieceOf(`${JSON.stringify(name)}:${json}`));
  }
  return texts;
}
