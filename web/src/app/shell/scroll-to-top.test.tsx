import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { ScrollToTop } from "./scroll-to-top.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const looks = vi.fn<() => number>();

/** Scrolls the page to a distance from its top in pixels. */
function scrollTo(px: number): void {
  looks.mockReturnValue(px);
  fireEvent.scroll(window);
}
function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
const button = () => screen.queryByRole("button", { name: "Scroll to top" });

function open(): void {
  looks.mockReset();
  vi.spyOn(window, "scrollY", "get").mockImplementation(looks);
  renderPart(<ScrollToTop />);
}

test("the scroll-to-top button appears after 700 px and disappears above it", () => {
  open();
  scrollTo(700);
  pass(100);
  expect(button()).toBeNull();
  scrollTo(701);
  pass(100);
  expect(button()).not.toBeNull();
  scrollTo(700);
  pass(100);
  expect(button()).toBeNull();
});

test("the scroll position is checked at most every 100 ms", () => {
  open();
  for (let px = 0; px < 1000; px += 10) scrollTo(px);
  pass(99);
  expect(looks).not.toHaveBeenCalled();
  expect(button()).toBeNull();
  pass(1);
  expect(looks).toHaveBeenCalledTimes(1);
  // It reads the position at that time.
  expect(button()).not.toBeNull();
  scrollTo(0);
  scrollTo(0);
  pass(100);
  expect(looks).toHaveBeenCalledTimes(2);
});

test("the button scrolls to the top", () => {
  open();
  const scrolled = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  scrollTo(5000);
  pass(100);
  fireEvent.click(screen.getByRole("button", { name: "Scroll to top" }));
  expect(scrolled).toHaveBeenCalledWith({ top: 0, behavior: "smooth" });
});
