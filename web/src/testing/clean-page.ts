import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { signOut } from "../shared/signed-in-as.ts";

// Missing in jsdom; here, everything is in sight.
globalThis.IntersectionObserver ??= class {
  readonly #report: IntersectionObserverCallback;
  constructor(report: IntersectionObserverCallback) {
    this.#report = report;
  }
  observe() {
    this.#report([{ isIntersecting: true } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
  disconnect() {}
} as unknown as typeof IntersectionObserver;

// One process runs many files, so each test leaves the page as it found it.
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // The development host's tests have no page.
  if (!("document" in globalThis)) return;
  cleanup();
  signOut();
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name);
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
