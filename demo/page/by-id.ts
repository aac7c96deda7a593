/// <reference lib="dom" />

/** The element with this id. Throws if index.html lacks it. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}
