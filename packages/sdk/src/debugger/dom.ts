type Child = Node | string | null;

/** An element with its text, attributes and children. Everything that was sent by others becomes text here, never markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button that does something. */
export function button(label: string, run: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = el("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", run);
  return made;
}

/** A link that opens beside the app. */
export const link = (label: string, href: string) => el("a", { href, target: "_blank", rel: "noopener" }, label);

/** A section with its title and a place for its content. */
export function section(title: string): { element: HTMLElement; body: HTMLElement } {
  const body = el("div");
  return { element: el("section", {}, el("h2", {}, title), body), body };
}

const STATE_WORDS = { good: "OK", note: "Note", bad: "Problem", unknown: "Unknown" } as const;
type State = keyof typeof STATE_WORDS;

/** One line of a check: a name, what was found, and whether that is right. */
export interface Line {
  name: string;
  state: State;
  text: string;
}

/** Lines of checks as a list. Their states are words, not colours alone. */
export const lineList = (lines: readonly Line[]) =>
  el(
    "ul",
    { class: "lines" },
    ...lines.map(({ name, state, text }) =>
      el(
        "li",
        {},
        el("span", { class: `state ${state}` }, STATE_WORDS[state]),
        el("div", {}, el("strong", {}, name), el("p", {}, text)),
      ),
    ),
  );

/** Micro-dollars of a CPM as dollars. */
export const dollars = (micros: number) =>
  `$${(micros / 1_000_000).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
