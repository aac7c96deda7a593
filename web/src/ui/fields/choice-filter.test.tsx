import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";

const FORMATS = { a: "Banner", b: "Video" };

function Example({ options = FORMATS }: { options?: Record<string, string> }) {
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <>
      <ChoiceFilter what="formats" options={options} chosen={chosen} onChange={setChosen} />
      <input aria-label="Bid" />
    </>
  );
}

const list = () => screen.findByRole("listbox", { name: "formats" });

test("a click into another field closes the list and leaves the focus there", async () => {
  renderPart(<Example />);
  await userEvent.click(screen.getByRole("button", { name: "All formats" }));
  await list();
  await userEvent.click(screen.getByRole("option", { name: "Banner" }));
  await userEvent.click(screen.getByLabelText("Bid"));
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  await userEvent.keyboard("2.40");
  expect(screen.getByLabelText<HTMLInputElement>("Bid").value).toBe("2.40");
});

test("an open list has the focus, and arrows, Home, End, Enter and Space work in it as screen readers expect", async () => {
  renderPart(<Example />);
  const button = screen.getByRole("button", { name: "All formats" });
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(button);
  const options = await list();
  await waitFor(() => expect(document.activeElement).toBe(options));
  expect(screen.getByRole("button", { name: "All formats" }).getAttribute("aria-expanded")).toBe("true");
  const current = () => document.getElementById(options.getAttribute("aria-activedescendant") ?? "")?.textContent;
  await userEvent.keyboard("{ArrowDown}");
  expect(current()).toBe("Banner");
  await userEvent.keyboard("{End} ");
  expect(current()).toBe("Video");
  expect(screen.getByRole("option", { name: "Video" }).getAttribute("aria-selected")).toBe("true");
  await userEvent.keyboard("{Home}{Enter}");
  expect(screen.getByRole("button", { name: /^formats: ?Video \+1$/ })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /^formats: ?Video \+1$/ })),
  );
});

test("the list closes when the Tab key leaves it", async () => {
  renderPart(<Example />);
  await userEvent.click(screen.getByRole("button", { name: "All formats" }));
  const options = await list();
  await waitFor(() => expect(document.activeElement).toBe(options));
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByLabelText("Bid"));
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  expect(document.activeElement).toBe(screen.getByLabelText("Bid"));
});

test("Escape closes the list and gives the focus back to its button", async () => {
  renderPart(<Example />);
  await userEvent.click(screen.getByRole("button", { name: "All formats" }));
  await list();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "All formats" })));
});

test("a search needs neither the marks nor the case of a name", async () => {
  const options = { osaka: "Ôsaka", idf: "Île-de-France", ca: "California" };
  const more = Object.fromEntries(Array.from({ length: 8 }, (_, nth) => [`more-${nth}`, `Another ${nth}`]));
  renderPart(<Example options={{ ...options, ...more }} />);
  await userEvent.click(screen.getByRole("button", { name: "All formats" }));
  await userEvent.type(await screen.findByLabelText("Search formats"), "ile");
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["Île-de-France"]);
});
