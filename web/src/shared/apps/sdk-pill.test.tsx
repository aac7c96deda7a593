import { type AppIdentity, TEXTS } from "@millrace/contract";
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { SdkPill } from "./sdk-pill.tsx";

type Told = Partial<Pick<AppIdentity, "sdk_status" | "sdk_status_class" | "is_sample"> & AppIdentity["sdk_info"]>;

/** The focused pill of an app, with its hint open. */
async function hintOf({ sdk_status = "on", sdk_status_class = "success", is_sample, ...info }: Told) {
  const none = { version: null, changelog_url: null, update_url: null };
  const app = { sdk_status, sdk_status_class, sdk_info: { ...none, ...info }, ...(is_sample && { is_sample }) };
  await renderPage(() => <SdkPill app={app} />, "/apps");
  await userEvent.tab();
  // jsdom has no top layer and treats its content as hidden.
  return { pill: screen.getByRole("button").textContent, hint: await screen.findByRole("tooltip", { hidden: true }) };
}

test("an active SDK shows its version and its changelog", async () => {
  const { pill, hint } = await hintOf({ version: "1.0.0", changelog_url: "https://sdk.example/changes" });
  expect(pill).toBe("SDK on · 1.0.0");
  expect(hint.textContent).toBe("SDK is currently on, version 1.0.0. What has changed");
  expect(hint.querySelector("a")?.getAttribute("href")).toBe("https://sdk.example/changes");
});

test("an app that waits for its first start is not an error, unlike one whose SDK is gone", async () => {
  const kindOf = async (sdk_status: AppIdentity["sdk_status"]) => {
    await hintOf({ sdk_status, sdk_status_class: "danger" });
    const kind = screen.getByRole("button").dataset["class"];
    cleanup();
    return kind;
  };
  expect([await kindOf("download"), await kindOf("off"), await kindOf("bad")]).toEqual(["waiting", "danger", "danger"]);
});

test("a sample app says that its figures are made up", async () => {
  const { pill, hint } = await hintOf({ is_sample: 1, sdk_status: "check" });
  expect([pill, hint.textContent]).toEqual(["Sample", TEXTS.sampleApp]);
  expect(screen.getByRole("button").dataset["class"]).toBe("waiting");
});

test("an old SDK shows a link to the new version", async () => {
  const { pill, hint } = await hintOf({
    sdk_status: "update",
    version: "0.9.0",
    update_url: "https://sdk.example/latest",
  });
  expect(pill).toBe("Update SDK · 0.9.0");
  expect(hint.textContent).toMatch(/old/i);
  expect(hint.querySelector("a")?.getAttribute("href")).toBe("https://sdk.example/latest");
});

test.each([
  ["check", "success", "SDK check", /^Moderation is complete\. Run the SDK\.$/, undefined],
  ["check", "warning", "SDK check", /^Your application is being moderated\. Please wait\.$/, undefined],
  ["off", "danger", "SDK off", /not installed.*follow the instructions/i, undefined],
  ["download", "danger", "No SDK yet", /not installed.*follow the instructions/i, undefined],
  ["bad", "danger", "SDK banned", /banned.*contact support/i, "/support"],
] as const)(
  "%s of class %s is labelled %s and names the next step",
  async (sdk_status, sdk_status_class, label, words, href) => {
    const { pill, hint } = await hintOf({ sdk_status, sdk_status_class, version: "1.0.0" });
    expect(pill).toBe(label);
    expect(hint.textContent).toMatch(words);
    expect(hint.querySelector("a")?.getAttribute("href")).toBe(href);
  },
);
