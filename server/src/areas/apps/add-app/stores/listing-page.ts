import { isObject } from "@millrace/openrtb";
import { decodeEntities } from "./listing-text.ts";

/** The longest tag that is read; longer ones are abuse. */
const MAX_TAG = 4096;
const MAX_DATA = 64 * 1024;
const MAX_BLOCKS = 20;

/**
 * The content of a page's `<meta>` tags, by `property` or `name` in lower case; the first of a name counts. Scans by
 * position instead of with one pattern, so that no page can make it slow.
 */
export function metaOf(html: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const tag of tagsOf(html, "meta")) {
    const attributes = new Map<string, string>();
    for (const [, name = "", double, single] of tag.text.matchAll(
      /([a-z:-]{1,20})\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)')/gi,
    )) {
      attributes.set(name.toLowerCase(), decodeEntities(double ?? single ?? ""));
    }
    const key = (attributes.get("property") ?? attributes.get("name") ?? attributes.get("itemprop"))?.toLowerCase();
    const content = attributes.get("content");
    if (key !== undefined && content !== undefined && !found.has(key)) found.set(key, content);
  }
  return found;
}

/** A page's JSON-LD objects, including those inside lists and graphs; malformed ones are left out. */
export function linkedDataOf(html: string): Record<string, unknown>[] {
  return tagsOf(html, "script")
    .filter(({ text }) => /application\/ld\+json/i.test(text))
    .slice(0, MAX_BLOCKS)
    .flatMap(({ end }) => {
      const data = html.slice(end, end + MAX_DATA);
      const length = data.indexOf("</script");
      if (length < 0) return [];
      try {
        return objectsIn(JSON.parse(data.slice(0, length)) as unknown);
      } catch {
        return [];
      }
    });
}

/** The text of the first element with this id, up to the next tag. */
export function textOfId(html: string, id: string): string | null {
  const at = html.indexOf(`id="${id}"`);
  const from = at < 0 ? -1 : html.indexOf(">", at);
  const to = from < 0 ? -1 : html.indexOf("<", from);
  return to < 0 || from - at > MAX_TAG || to - from > MAX_TAG ? null : decodeEntities(html.slice(from + 1, to)).trim();
}

function tagsOf(html: string, name: string): { text: string; end: number }[] {
  const tags: { text: string; end: number }[] = [];
  let from = 0;
  for (;;) {
    const at = html.indexOf(`<${name} `, from);
    if (at < 0) break;
    const head = html.slice(at, at + MAX_TAG);
    const length = endOfTag(head);
    if (length > 0) tags.push({ text: head.slice(0, length), end: at + length });
    // Never scans backwards, so the time grows linearly with the page.
    from = at + (length > 0 ? length : head.length);
  }
  return tags;
}

/** The end of a tag: the first `>` outside quotes, or 0 if there is none. */
function endOfTag(head: string): number {
  let quote = "";
  for (let at = 0; at < head.length; at++) {
    const sign = head[at] ?? "";
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return at + 1;
  }
  return 0;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  const graph = value["@graph"];
  return Array.isArray(graph) ? graph.filter(isObject) : [value];
}
