import { fetchErrorText } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { ErrorWordsProvider } from "./error-words.tsx";
import { LoadedBlock } from "./loaded-block.tsx";

const words = {
  sentence: (error: unknown) => fetchErrorText((error as Error).message),
  plain: String,
  retry: "Try again",
};

function Block({
  name,
  ask,
  days = "today",
}: {
  name: string;
  days?: string;
  ask: (days: string) => Promise<string[]>;
}) {
  const query = useQuery({ queryKey: [name, days], queryFn: () => ask(days), placeholderData: keepPreviousData });
  return (
    <ErrorWordsProvider value={words}>
      <LoadedBlock
        title={name}
        query={query}
        loading={`Loading ${name} ...`}
        skeleton={<i />}
        isEmpty={(rows) => rows.length === 0}
        empty={<p>No {name} found</p>}
      >
        {(rows) => <p>{rows.join()}</p>}
      </LoadedBlock>
    </ErrorWordsProvider>
  );
}

test("a block names its content while it loads", async () => {
  renderPart(<Block name="apps" ask={() => Promise.resolve(["Tide Puzzle"])} />);
  expect(screen.getByText("Loading apps ...")).toBeTruthy();
  expect(screen.getByRole("region", { name: "apps" }).getAttribute("aria-busy")).toBe("true");
  expect(await screen.findByText("Tide Puzzle")).toBeTruthy();
  expect(screen.getByRole("region", { name: "apps" }).getAttribute("aria-busy")).toBe("false");
});

test("a block without rows says so", async () => {
  renderPart(<Block name="apps" ask={() => Promise.resolve([])} />);
  expect(await screen.findByText("No apps found")).toBeTruthy();
});

test("a failed block shows the cause, does not affect others, and recovers with Try again", async () => {
  let asked = 0;
  const ask = () =>
    asked++ === 0 ? Promise.reject(new Error("The statistics store is away")) : Promise.resolve(["$1.00"]);
  renderPart(
    <>
      <Block name="pie" ask={ask} />
      <Block name="table" ask={() => Promise.resolve(["well"])} />
    </>,
  );
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(
    'There was an error while fetching: "The statistics store is away". Try refreshing the page or contact us.',
  );
  expect(await screen.findByText("well")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("$1.00")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(asked).toBe(2);
});

test("figures of the previous filters stay, dimmed, until the new ones are loaded", async () => {
  let deliver: (rows: string[]) => void = () => {};
  const ask = (days: string) =>
    days === "today" ? Promise.resolve(["old"]) : new Promise<string[]>((resolve) => (deliver = resolve));
  const { rerender } = renderPart(<Block name="table" ask={ask} />);
  await screen.findByText("old");
  rerender(<Block name="table" ask={ask} days="yesterday" />);
  expect(screen.getByText("old").closest("[data-stale]")).toBeTruthy();
  deliver(["new"]);
  expect((await screen.findByText("new")).closest("[data-stale]")).toBeNull();
});
