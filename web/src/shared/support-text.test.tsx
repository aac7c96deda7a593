import { fetchErrorText } from "@millrace/contract";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../testing/render-page.tsx";
import { SupportText } from "./support-text.tsx";

const open = (text: string) => renderPage(() => <p data-testid="text">{<SupportText text={text} />}</p>, "/a");

test("the last mention of support becomes a link, and the text stays the same", async () => {
  const text = fetchErrorText("contact us yourself");
  await open(text);
  expect((await screen.findByTestId("text")).textContent).toBe(text);
  const links = screen.getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([["contact us", "/support"]]);
});

test("a sentence that does not name support has no link", async () => {
  await open("The SDK is not installed.");
  expect((await screen.findByTestId("text")).textContent).toBe("The SDK is not installed.");
  expect(screen.queryByRole("link")).toBeNull();
});
