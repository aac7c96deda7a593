import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { useAddress } from "./use-address.ts";

const read = ({ search }: { search?: unknown }): { search?: string | undefined } =>
  typeof search === "string" ? { search } : {};

function List() {
  const [address, change] = useAddress(read);
  return (
    <button type="button" onClick={() => change({ search: "tide" })}>
      search, now {address.search ?? "nothing"}
    </button>
  );
}

test.each(["/lists/1?p=2", "/lists/1/?p=2", "/lists/a%20b?p=2"])(
  "a change is written to the address %s",
  async (at) => {
    const { router } = await renderPage(List, "/lists/$id", at);
    fireEvent.click(screen.getByRole("button"));
    await screen.findByText("search, now tide");
    expect(router.state.location.search).toEqual({ p: "2", search: "tide" });
  },
);

test("a change that comes while its page is being left does not reach the next page", async () => {
  const { router } = await renderPage(List, "/lists/$id", "/lists/1");
  const search = screen.getByRole("button");
  await act(async () => {
    const leaving = router.navigate({ to: "/elsewhere" } as never);
    // The page still stands while the next one loads.
    fireEvent.click(search);
    await leaving;
  });
  await screen.findByText("elsewhere");
  expect(router.state.location.href).toBe("/elsewhere");
});
