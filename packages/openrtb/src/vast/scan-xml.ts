/** One element of a document, with the positions of its tags in the text. */
export interface XmlElement {
  name: string;
  parent: XmlElement | null;
  children: XmlElement[];
  /** The start tag `<name ...>`: the index of its `<`, and the index after its `>`. */
  openAt: number;
  openEnd: number;
  /** The index of the `<` of `</name>`; for `<name/>`, the index after the tag. */
  closeAt: number;
  isEmptyTag: boolean;
}

/** Why a text is refused as XML. */
export type ScanFault = "too_large" | "too_deep" | "has_doctype" | "not_well_formed";

const NAME = /[\p{L}_:][\p{L}\p{N}_:.·-]*/uy;
const ATTRIBUTES = /(?:\s+[\p{L}_:][\p{L}\p{N}_:.·-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*/uy;
const ATTRIBUTE = /\s([\p{L}_:][\p{L}\p{N}_:.·-]*)\s*=\s*("[^"<]*"|'[^'<]*')/gu;
/** An ampersand that starts neither a character reference nor one of the five predefined entities. */
const BAD_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/;
const MAX_LENGTH = 512 * 1024;
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 20_000;

/**
 * Finds the elements of a document and checks that it is well-formed, so that insertions land in the right place: tags
 * in comments and CDATA are skipped. Refuses a document with a doctype, because players would expand its entities.
 */
export function scanXml(text: string): { ok: true; root: XmlElement } | { ok: false; reason: ScanFault } {
  const fail = (reason: ScanFault) => ({ ok: false, reason }) as const;
  if (text.length > MAX_LENGTH) return fail("too_large");
  let root: XmlElement | null = null;
  let open: XmlElement | null = null;
  let depth = 0;
  let count = 0;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const start = at;
  while (at < text.length) {
    const tag = text.indexOf("<", at);
    const between = text.slice(at, tag === -1 ? undefined : tag);
    if (!isText(between, open !== null)) return fail("not_well_formed");
    if (tag === -1) break;
    if ("!?".includes(text.charAt(tag + 1) || " ")) {
      if (/^<!DOCTYPE/i.test(text.slice(tag, tag + 9))) return fail("has_doctype");
      const end = behindMarkup(text, tag, start, open !== null);
      if (end === -1) return fail("not_well_formed");
      at = end;
      continue;
    }
    if (text[tag + 1] === "/") {
      const end: number = open === null ? -1 : behindEndTag(text, tag, open.name);
      if (open === null || end === -1) return fail("not_well_formed");
      open.closeAt = tag;
      open = open.parent;
      depth--;
      at = end;
      continue;
    }
    const element: XmlElement | null = open === null && root !== null ? null : openTag(text, tag, open);
    if (!element) return fail("not_well_formed");
    if (++count > MAX_ELEMENTS) return fail("too_large");
    root ??= element;
    open?.children.push(element);
    if (!element.isEmptyTag) {
      open = element;
      if (++depth > MAX_DEPTH) return fail("too_deep");
    }
    at = element.openEnd;
  }
  return open === null && root !== null ? { ok: true, root } : fail("not_well_formed");
}

/** Only whitespace is allowed outside the root. */
const isText = (text: string, isInside: boolean) =>
  isInside ? !text.includes("]]>") && !BAD_REFERENCE.test(text) : text.trim() === "";

/** The index after `</name>`; -1 if there is another tag. */
function behindEndTag(text: string, at: number, name: string): number {
  const end = text.indexOf(">", at);
  return end !== -1 && text.slice(at + 2, end).trimEnd() === name ? end + 1 : -1;
}

/** The index after a comment, CDATA section or processing instruction; -1 if it is not allowed here. */
function behindMarkup(text: string, at: number, start: number, isInside: boolean): number {
  const end = (opening: string, closing: string) => {
    const found = text.indexOf(closing, at + opening.length);
    return found === -1 ? -1 : found + closing.length;
  };
  if (text.startsWith("<!--", at)) {
    const dashes = text.indexOf("--", at + 4);
    return dashes === -1 || text[dashes + 2] !== ">" ? -1 : dashes + 3;
  }
  // CDATA is not allowed outside the root.
  if (text.startsWith("<![CDATA[", at)) return isInside ? end("<![CDATA[", "]]>") : -1;
  if (!/^<\?[\p{L}_:]/u.test(text.slice(at, at + 4))) return -1;
  // The XML declaration is only allowed at the very start.
  if (/^<\?xml[\s?]/i.test(text.slice(at, at + 6)) && at !== start) return -1;
  return end("<?", "?>");
}

function openTag(text: string, at: number, parent: XmlElement | null): XmlElement | null {
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return null;
  ATTRIBUTES.lastIndex = at + 1 + name.length;
  const attributes = ATTRIBUTES.exec(text)?.[0] ?? "";
  let end = ATTRIBUTES.lastIndex;
  const isEmptyTag = text[end] === "/";
  if (isEmptyTag) end++;
  if (text[end] !== ">" || BAD_REFERENCE.test(attributes) || hasTwins(attributes)) return null;
  return { name, parent, children: [], openAt: at, openEnd: end + 1, closeAt: end + 1, isEmptyTag };
}

function hasTwins(attributes: string): boolean {
  const names = [...attributes.matchAll(ATTRIBUTE)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/** An element's attributes as written, with references unresolved. */
export function attributesOf(text: string, { openAt, openEnd }: XmlElement): Map<string, string> {
  const tag = text.slice(openAt, openEnd);
  return new Map([...tag.matchAll(ATTRIBUTE)].map(([, name = "", value = ""]) => [name, value.slice(1, -1)]));
}

/** A change to the text: `insert` replaces `remove` characters at `at`. */
export interface XmlEdit {
  at: number;
  remove: number;
  insert: string;
}

/** Applies edits that do not overlap. Edits at the same position are applied in list order. */
export function edited(text: string, edits: readonly XmlEdit[]): string {
  let result = "";
  let from = 0;
  for (const { at, remove, insert } of [...edits].sort((a, b) => a.at - b.at)) {
    result += text.slice(from, at) + insert;
    from = at + remove;
  }
  return result + text.slice(from);
}
