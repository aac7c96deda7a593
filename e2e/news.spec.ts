import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { readMailbox } from "../server/src/platform/mail/index.ts";
import { button, dialog } from "./support/on-page.ts";
import { LOOKING_MS, faultsOn } from "./support/screens.ts";
import { OWN_PAGE, profileOf } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";

const people = testUsers();

test(
  "a subscribed user receives news, and unsubscribes with a click on the linked page, not by opening it",
  { timeout: LOOKING_MS },
  async () => {
    const reader = await people.newPerson();
    const subscribe = { name: "is_subscribed", value: true };
    await reader.context.request.post("/profile/edit.json", { data: subscribe, headers: OWN_PAGE });
    const subject = `News ${randomBytes(4).toString("hex")}`;
    const desk = await (await people.admin()).newPage();
    await desk.goto("/admin/news");
    await button(desk, "Write news").click();
    await dialog(desk).getByText("and cannot be undone.").waitFor();
    expect(await faultsOn(desk, "the news form")).toEqual([]);
    await dialog(desk).getByLabel("Subject").fill(subject);
    await dialog(desk).getByLabel("Text").fill("The SDK is smaller.");
    await dialog(desk).getByRole("button", { name: "Send news" }).click();
    await desk.getByRole("table").getByText(subject).waitFor();
    expect(await faultsOn(desk, "the news list")).toEqual([]);

    const { mailDir } = inject("platform");
    const mail = async () =>
      (await readMailbox(mailDir)).find((kept) => kept.to === reader.email && kept.subject === subject);
    await expect.poll(mail).toMatchObject({ text: expect.stringContaining("The SDK is smaller.") as unknown });
    const page = await (await people.visitor()).newPage();
    await page.goto((await mail())?.unsubscribeUrl ?? "");
    await button(page, "Unsubscribe").waitFor();
    expect(await faultsOn(page, "the unsubscribe page")).toEqual([]);
    expect((await profileOf(reader.context)).is_subscribed).toBe(true);
    await button(page, "Unsubscribe").click();
    await page.getByText("You are unsubscribed").waitFor();
    expect((await profileOf(reader.context)).is_subscribed).toBe(false);
  },
);
