import { render, screen } from "@testing-library/react";
import { Component, type ReactNode, useLayoutEffect } from "react";
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

test("code that was loaded between the first drawing and its effects is drawn too", async () => {
  let arrive: (words: typeof Words) => void = () => undefined;
  const Later = later(() => new Promise<typeof Words>((resolve) => (arrive = resolve)));
  Later.fetch();
  // Its layout effect runs before the effects of the component, which asks for its code only then.
  const Early = () => {
    useLayoutEffect(() => arrive(Words), []);
    return null;
  };
  render(
    <>
      <Early />
      <Later text="words" fallback="loading" />
    </>,
  );
  expect(await screen.findByText("words")).toBeTruthy();
});
