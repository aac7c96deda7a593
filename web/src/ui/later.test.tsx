import { render, screen } from "@testing-library/react";
import { Component, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { later } from "./later.tsx";

const Words = ({ text }: { text: string }) => <p>{text}</p>;

class Boundary extends Component<{ children: ReactNode }> {
  override state = { error: "" };
  static getDerivedStateFromError = (error: Error) => ({ error: error.message });
  override render() {
    return this.state.error === "" ? this.props.children : <p role="alert">{this.state.error}</p>;
  }
}

test("the fallback stands there until the code is loaded, which happens once", async () => {
  const load = vi.fn<() => Promise<typeof Words>>(async () => Words);
  const Later = later(load);
  const { rerender } = render(<Later text="first" fallback="loading" />);
  expect(screen.getByText("loading")).toBeTruthy();
  expect(await screen.findByText("first")).toBeTruthy();
  rerender(<Later text="second" fallback="loading" />);
  expect(screen.getByText("second")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

test("code that was fetched ahead is drawn at once", async () => {
  const Later = later(async () => Words);
  Later.fetch();
  await Promise.resolve();
  await Promise.resolve();
  render(<Later text="words" fallback="loading" />);
  expect(screen.queryByText("loading")).toBeNull();
  expect(screen.getByText("words")).toBeTruthy();
});

test("code that cannot be loaded is the boundary's error, and is asked for again by the next one drawn", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn<() => Promise<typeof Words>>(async () => Words).mockRejectedValueOnce(new Error("gone"));
  const Later = later(load);
  const { unmount } = render(
    <Boundary>
      <Later text="words" fallback="loading" />
    </Boundary>,
  );
  expect((await screen.findByRole("alert")).textContent).toBe("gone");
  unmount();
  render(<Later text="words" fallback="loading" />);
  expect(await screen.findByText("words")).toBeTruthy();
});

test("one that is gone before its code is loaded says nothing", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  let fail: (error: Error) => void = () => undefined;
  const Later = later(() => new Promise<typeof Words>((_, reject) => (fail = reject)));
  render(<Later text="words" fallback="loading" />).unmount();
  fail(new Error("gone"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(errors).not.toHaveBeenCalled();
});
