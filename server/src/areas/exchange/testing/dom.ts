import { createRequire } from "node:module";

/** The DOM types that tests need, because the server's TypeScript settings have none. */
export interface TestElement {
  tagName: string;
  textContent: string | null;
  children: Iterable<TestElement>;
  innerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): TestElement | null;
  querySelectorAll(selector: string): Iterable<TestElement>;
  click(): void;
  /** Only on a frame. */
  contentWindow?: unknown;
}
export interface TestDocument extends Pick<TestElement, "querySelector" | "querySelectorAll"> {
  body: TestElement;
}
export interface TestWindow {
  document: TestDocument;
  eval(script: string): unknown;
  navigator: object;
  dispatchEvent(event: unknown): boolean;
  MessageEvent: new (type: string, about: { source: unknown; data: unknown }) => unknown;
  DOMParser: new () => { parseFromString(text: string, type: string): TestDocument };
}

interface Jsdom {
  JSDOM: new (html: string, options?: { contentType?: string; runScripts?: "outside-only" }) => { window: TestWindow };
}

/** jsdom, whose package has no types. */
export const { JSDOM } = createRequire(import.meta.url)("jsdom") as Jsdom;
