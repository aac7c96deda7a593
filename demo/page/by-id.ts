/// <reference lib="dom" />

/** The page's element with this id; its absence is a mistake in the page itself. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}
