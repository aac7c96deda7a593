/** One element of a document, by the places of its tags in the text. */
export interface XmlElement {
  name: string;
  parent: XmlElement | null;
  children: XmlElement[];
  /** `<name ...>`: from its `<` to behind its `>`. */
  openAt: number;
  openEnd: number;
  /** `</name>`: its `<`; of `<name/>`, behind the tag. */
  closeAt: number;
  isEmptyTag: boolean;
}

const NAME = /[A-Za-z_:][\w:.-]*/y;
const ATTRIBUTES = /(?:\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*/y;
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 20_000;

/**
 * Reads a document far enough to know where its elements are, and that it is well-formed, so that what is put into it
 * lands where it should: tags in comments and CDATA are none. Null for anything else; documents that declare entities
 * are refused, since players would expand them. The root element.
 */
export function scanXml(text: string): XmlElement | null {
  let root: XmlElement | null = null;
  let open: XmlElement | null = null;
  let depth = 0;
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const tag = text.indexOf("<", at);
    if (
      open === null &&
      text
        .slice(at, tag === -1 ? undefined : tag)
        .replace(/^\uFEFF/, "")
        .trim() !== ""
    )
      return null;
    if (tag === -1) break;
    const passed = skipped(text, tag);
    if (passed === -1) return null;
    if (passed > 0) {
      // Character data has no place outside the root.
      if (open === null && text.startsWith("<![CDATA[", tag)) return null;
      at = passed;
      continue;
    }
    if (text[tag + 1] === "/") {
      const end: number = text.indexOf(">", tag);
      if (open === null || end === -1 || text.slice(tag + 2, end).trimEnd() !== open.name) return null;
      open.closeAt = tag;
      open = open.parent;
      depth--;
      at = end + 1;
      continue;
    }
    if (open === null && root !== null) return null;
    const element = openTag(text, tag, open);
    if (!element || ++count > MAX_ELEMENTS) return null;
    root ??= element;
    open?.children.push(element);
    if (!element.isEmptyTag) {
      open = element;
      if (++depth > MAX_DEPTH) return null;
    }
    at = element.openEnd;
  }
  return open === null ? root : null;
}

/** Behind a comment, CDATA or processing instruction; 0 where there is a tag, -1 where there is nothing allowed. */
function skipped(text: string, at: number): number {
  const end = (opening: string, closing: string) => {
    const found = text.indexOf(closing, at + opening.length);
    return found === -1 ? -1 : found + closing.length;
  };
  if (text.startsWith("<!--", at)) return end("<!--", "-->");
  if (text.startsWith("<![CDATA[", at)) return end("<![CDATA[", "]]>");
  if (text.startsWith("<?", at)) return end("<?", "?>");
  return text[at + 1] === "!" ? -1 : 0;
}

function openTag(text: string, at: number, parent: XmlElement | null): XmlElement | null {
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return null;
  ATTRIBUTES.lastIndex = at + 1 + name.length;
  ATTRIBUTES.exec(text);
  let end = ATTRIBUTES.lastIndex;
  const isEmptyTag = text[end] === "/";
  if (isEmptyTag) end++;
  if (text[end] !== ">") return null;
  return { name, parent, children: [], openAt: at, openEnd: end + 1, closeAt: end + 1, isEmptyTag };
}

/** The first child of a name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** All elements below, of a name. */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...descendantsOf(child, name)]);
}

/** A change to the text: `insert` takes the place of `remove` characters at `at`. */
export interface XmlEdit {
  at: number;
  remove: number;
  insert: string;
}

/** Applies edits that do not overlap; of two at one place, the earlier in the list comes first. */
export function edited(text: string, edits: readonly XmlEdit[]): string {
  let made = "";
  let from = 0;
  for (const { at, remove, insert } of [...edits].sort((a, b) => a.at - b.at)) {
    made += text.slice(from, at) + insert;
    from = at + remove;
  }
  return made + text.slice(from);
}
