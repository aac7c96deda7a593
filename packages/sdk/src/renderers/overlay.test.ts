// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { overlay, type Overlay } from "./overlay.ts";

/** An overlay, with what jsdom's dialogs lack. */
function overlayIn(onClosed: () => void): Overlay {
  const made = overlay(onClosed);
  const close = () => void made.dialog.dispatchEvent(new Event("close"));
  Object.assign(made.dialog, { showModal() {}, close });
  return made;
}

afterEach(() => document.body.replaceChildren());

test("an ad is closed when its page replaces its content, so that another can take the screen", async () => {
  const onClosed = vi.fn<() => void>();
  overlayIn(onClosed).open(5);
  document.body.append(document.createElement("p"));
  await Promise.resolve();
  expect(onClosed).not.toHaveBeenCalled();
  document.body = document.createElement("body");
  await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
});

test("an ad that the user closes is told of once, and one that the SDK removes is not", async () => {
  const [closed, removed] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const first = overlayIn(closed);
  first.open(0);
  first.tryClose();
  overlayIn(removed).remove();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([closed.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0]);
});
