import { type AppRow, PLATFORM_LABELS, PLATFORMS, type RightName } from "@millrace/contract";
import { cleanup, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { UUID, someApp } from "../testing/open-page.tsx";
import { AppActions } from "./app-actions.tsx";

const EVERYTHING = () => true;

async function open(platform: AppRow["platform"], may: (right: RightName) => boolean = EVERYTHING) {
  const app = { ...someApp({ platform }) } as AppRow;
  await renderPage(() => <AppActions app={app} may={may} onDelete={() => {}} />, "/apps");
}
const hrefOf = (name: string) => screen.queryByRole("link", { name })?.getAttribute("href") ?? null;

test.each(PLATFORMS)("an app of %s links to its partner keys, unless its platform needs none", async (platform) => {
  await open(platform);
  const isWithout = ["android", "ios", "amazon"].includes(platform);
  expect(hrefOf(`keys of Tide Puzzle, ${PLATFORM_LABELS[platform]}`)).toBe(isWithout ? null : `/apps/${UUID}/dsp`);
});

test("only users with the right to read instructions see the tools link", async () => {
  await open("android");
  expect(hrefOf("tools of Tide Puzzle, Android")).toBe(`/apps/${UUID}/settings`);
  cleanup();
  await open("android", (right) => right !== "instructions.read");
  expect(hrefOf("tools of Tide Puzzle, Android")).toBeNull();
  expect(screen.getByRole("button", { name: "delete Tide Puzzle, Android" })).toBeTruthy();
});

test("without the rights neither keys nor delete is shown", async () => {
  await open("roku", (right) => right === "instructions.read");
  expect(hrefOf("keys of Tide Puzzle, Roku")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
  expect(hrefOf("tools of Tide Puzzle, Roku")).not.toBeNull();
});

test("apps of one name on two platforms have different controls", async () => {
  await open("ios");
  expect(screen.getByRole("button", { name: "delete Tide Puzzle, iOS" })).toBeTruthy();
  cleanup();
  await open("android");
  expect(screen.getByRole("button", { name: "delete Tide Puzzle, Android" })).toBeTruthy();
});
