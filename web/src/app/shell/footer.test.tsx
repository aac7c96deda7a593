import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { Footer } from "./footer.tsx";

test("the footer has the copyright year and links to the terms", async () => {
  await renderPage(() => <Footer demo={false} />, "/apps");
  const footer = screen.getByRole("contentinfo");
  expect(footer.textContent).toContain(`© ${new Date().getUTCFullYear()} Millrace`);
  const links = within(footer).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Terms", "/terms"],
    ["EULA", "/eula"],
    ["Privacy", "/privacy"],
    ["Copyright", "/copyright"],
  ]);
  expect(footer.textContent).not.toContain("simulated");
});

test("in a demo it says that the traffic is simulated", async () => {
  await renderPage(() => <Footer demo />, "/apps");
  expect(screen.getByRole("contentinfo").textContent).toContain("traffic is simulated");
});
