/** Groups digits while they are typed at the end or pasted; an edit in the middle is left alone, so the cursor stays. */
const masked = (groups: readonly number[], separator: string) => (typed: string, before: string) => {
  const plain = typed.replaceAll(/[/.\s]/g, separator);
  const isAdded = plain.length > before.length && plain.startsWith(before);
  if (!isAdded && !/^\d+$/.test(plain)) return plain;
  const digits = plain.replaceAll(/\D/g, "");
  const parts: string[] = [];
  let at = 0;
  for (const size of groups) {
    if (at >= digits.length) break;
    parts.push(digits.slice(at, at + size));
    at += size;
  }
  // The separator that somebody types stays, or it could not be typed.
  const ends = plain.endsWith(separator) && parts.at(-1)?.length === groups[parts.length - 1];
  return parts.join(separator) + (ends && parts.length < groups.length ? separator : "");
};

/** `yyyy-mm-dd` while it is typed. */
export const maskDate = masked([4, 2, 2], "-");

/** `hh:mm` while it is typed. */
export const maskTime = masked([2, 2], ":");
