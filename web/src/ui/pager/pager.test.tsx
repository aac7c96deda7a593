import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { Pager } from "./pager.tsx";

function show(current: number, count: number) {
  const onPage = vi.fn<(page: number) => void>();
  renderPart(<Pager current={current} count={count} marginPages={2} rangePages={2} onPage={onPage} />);
  return onPage;
}

test("pages are counted from 1 on the screen and from 0 in the call", async () => {
  const onPage = show(0, 9);
  await userEvent.click(screen.getByRole("button", { name: "Page 2" }));
  expect(onPage).toHaveBeenCalledExactlyOnceWith(1);
});

test("choosing the current page does nothing", async () => {
  const onPage = show(1, 9);
  await userEvent.click(screen.getByRole("button", { name: "Page 2" }));
  expect(onPage).not.toHaveBeenCalled();
});

test("Previous is disabled on the first page, Next on the last, and both keep the focus", async () => {
  const onPage = show(0, 2);
  const previous = screen.getByRole<HTMLButtonElement>("button", { name: "Previous" });
  expect(previous.getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByRole("button", { name: "Next" }).getAttribute("aria-disabled")).toBe("false");
  await userEvent.click(previous);
  expect(onPage).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(previous);
});

test("a single page has no pager", () => {
  show(0, 1);
  expect(screen.queryByRole("navigation")).toBeNull();
});
