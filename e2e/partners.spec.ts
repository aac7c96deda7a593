import { expect, test } from "vitest";
import { region, withPage } from "./support/on-page.ts";
import { LOOKING_MS, LOOKS_WITH_TABLET, faultsOn } from "./support/screens.ts";
import { tabThrough } from "./support/tab-through.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

test(
  "an admin finds a partner in the catalogue, connects it, and sees a bidder's answer to a test request",
  { timeout: LOOKING_MS },
  async () => {
    await withPage(await people.admin(), "/admin/partners", async (page) => {
      await region(page, "Connected").getByText("Demo", { exact: true }).first().waitFor();
      await page.getByLabel("Search partner, format or vendor id").fill("criteo");
      await region(page, "Connected").getByText("Nothing matches “criteo”.").waitFor();
      expect(await faultsOn(page, "the catalogue", LOOKS_WITH_TABLET)).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
      await page.getByRole("link", { name: "Connect Criteo" }).click();
      const settings = region(page, "Settings");
      await settings.getByLabel("Endpoint", { exact: true }).fill("example.com");
      await settings.getByRole("button", { name: "Connect", exact: true }).click();
      await settings.getByText("Use an address like https://bids.example.com/openrtb").waitFor();
      await region(page, "Privacy").getByText("Consent to everything").waitFor();
      expect(await faultsOn(page, "a partner's settings", LOOKS_WITH_TABLET)).toEqual([]);
      await settings.getByLabel("Endpoint", { exact: true }).fill("");
      await settings.getByLabel("Secret headers").fill("x-key: secret");
      await settings.getByRole("button", { name: "Connect", exact: true }).click();
      await settings.getByText("Stored: x-key. What you enter replaces them").waitFor();
      await page.getByRole("link", { name: "All partners" }).click();
      // It is saved and off, so that the list folds it away until one looks for it.
      await page.getByLabel("Search partner, format or vendor id").fill("criteo");
      await region(page, "Connected").getByText("Criteo", { exact: true }).waitFor();
      await page.getByLabel("Search partner, format or vendor id").fill("");
      // A bidder of the demo answers in the same house.
      await region(page, "Connected").getByText("Demo", { exact: true }).first().click();
      await region(page, "Test request").getByRole("button", { name: "Send a test request" }).click();
      await region(page, "Test request")
        .getByText(/HTTP \d{3} after|No answer within|The connection/)
        .waitFor();
      expect(await faultsOn(page, "a test request's wire", LOOKS_WITH_TABLET)).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
    });
  },
);

test(
  "an admin lets a partner be asked in two regions, with a European endpoint, and tests that endpoint",
  { timeout: LOOKING_MS },
  async () => {
    await withPage(await people.admin(), "/admin/partners/regional-bidder?kind=openrtb", async (page) => {
      const settings = region(page, "Settings");
      await settings.getByLabel("Endpoint", { exact: true }).fill("http://127.0.0.1:9/bid");
      await settings.getByRole("group", { name: "Asked for devices in" }).getByLabel("Asia-Pacific").uncheck();
      await settings.getByLabel("Endpoint: Asia-Pacific").waitFor({ state: "detached" });
      await settings.getByLabel("Endpoint: Europe, Middle East, Africa").fill("eu.example");
      await settings.getByRole("button", { name: "Connect", exact: true }).click();
      await settings.getByText("Use an address like https://bids.example.com/openrtb").waitFor();
      expect(await faultsOn(page, "a partner's regions", LOOKS_WITH_TABLET)).toEqual([]);
      expect(await tabThrough(page)).toEqual([]);
      await settings.getByLabel("Endpoint: Europe, Middle East, Africa").fill("http://127.0.0.1:9/eu");
      await settings.getByRole("button", { name: "Connect", exact: true }).click();
      await settings.getByRole("button", { name: "Save", exact: true }).waitFor();
      const test = region(page, "Test request");
      await test.getByLabel("Sent to").selectOption("Endpoint: Europe, Middle East, Africa");
      await test.getByRole("button", { name: "Send a test request" }).click();
      // Nobody listens there; what was sent is shown.
      await test.getByText("The connection failed.").waitFor();
      await test.getByText("http://127.0.0.1:9/eu").waitFor();
      await test.getByText('"country": "DEU"').waitFor();
      expect(await faultsOn(page, "a region's test request", LOOKS_WITH_TABLET)).toEqual([]);
    });
  },
);

test("an admin switches a partner off at once, and on again", { timeout: LOOKING_MS }, async () => {
  await withPage(await people.admin(), "/admin/partners", async (page) => {
    const block = region(page, "Kill switches");
    await region(page, "Connected").getByText("Demo", { exact: true }).first().waitFor();
    await block.getByRole("button", { name: "Switch something off" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Switch off" }).click();
    await form.getByText("Choose what is switched off").waitFor();
    expect(await faultsOn(page, "the form of a kill switch", LOOKS_WITH_TABLET)).toEqual([]);
    await form.getByLabel("Switch off").selectOption({ index: 2 });
    // Nobody of the demo is there, so that no other test misses a bid.
    await form.getByLabel("Countries").fill("aq");
    await form.getByLabel("Reason").fill("Its video crashes the player");
    await form.getByRole("button", { name: "Switch off" }).click();
    await block.getByText("In force").waitFor();
    expect(await faultsOn(page, "the kill switches", LOOKS_WITH_TABLET)).toEqual([]);
    await block.getByRole("button", { name: /^End/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End switch" }).click();
    await block.getByText("In force").waitFor({ state: "detached" });
  });
});
