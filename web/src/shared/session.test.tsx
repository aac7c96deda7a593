import { useQuery } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart } from "../testing/render-page.tsx";
import { someSession } from "../testing/some-session.ts";
import { SESSION_KEY, useKnownSession } from "./session.ts";

afterEach(() => vi.restoreAllMocks());

/** Asks for something new while it renders. */
function Frame() {
  useQuery({ queryKey: ["frame"], queryFn: () => "frame" });
  return <p>the frame</p>;
}

const Reader = () => <p>{useKnownSession() ? "known" : "unknown"}</p>;

function Page() {
  const session = useKnownSession();
  return (
    <>
      {session && <Frame />}
      <Reader />
    </>
  );
}

test("a new session updates nothing while a component renders that appears with it", () => {
  const complained = vi.spyOn(console, "error").mockReturnValue();
  const { queryClient } = renderPart(<Page />);
  expect(screen.getByText("unknown")).toBeTruthy();
  act(() => void queryClient.setQueryData(SESSION_KEY, someSession()));
  expect(screen.getByText("known")).toBeTruthy();
  expect(screen.getByText("the frame")).toBeTruthy();
  expect(complained).not.toHaveBeenCalled();
});
