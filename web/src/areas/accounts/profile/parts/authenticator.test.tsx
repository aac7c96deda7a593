import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { refused, answerCalls } from "../../../../testing/answer-calls.ts";
import { openProfile } from "../testing/open-profile.tsx";
import { someProfile } from "../testing/some-profile.ts";

const SETUP = {
  otp_secret: "JBSWY3DPEHPK3PXP",
  otpauth_url: "otpauth://totp/Millrace:owner@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Millrace",
  recovery_codes: ["aaaa-bbbb", "cccc-dddd"],
  expires: "2026-11-19T10:10:00Z",
};
const block = async () => within(await screen.findByRole("region", { name: "Two-factor authentication" }));

test("setting up shows QR code, secret and recovery codes, requires a code, and redirects to the sign-in", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile(),
    "GET /api/otp_secret_generate": () => SETUP,
    "POST /api/otp_secret_save": ({ query }) =>
      query.get("code") === "123456" ? { success: true } : refused(422, "Your code is incorrect"),
  });
  const { router, queryClient } = await openProfile();
  const part = await block();
  await userEvent.click(part.getByRole("button", { name: "Set up authenticator" }));
  const qr = await part.findByRole("img", { name: "QR code of the authenticator secret" });
  expect(qr.querySelector("path")?.getAttribute("d")?.length).toBeGreaterThan(1000);
  expect(part.getByRole("button", { name: /JBSWY3DPEHPK3PXP/ })).toBeTruthy();
  expect(part.getByRole("button", { name: /aaaa-bbbb\s+cccc-dddd/ })).toBeTruthy();
  expect(part.getByRole("button", { name: "Download codes" })).toBeTruthy();

  const code = part.getByLabelText("Verification code");
  await userEvent.type(code, "123");
  await userEvent.click(part.getByRole("button", { name: "Switch on" }));
  expect(part.getByText("Verification code contains 6 digits")).toBeTruthy();
  await userEvent.type(code, "999{Enter}");
  expect(await part.findByText("Your code is incorrect")).toBeTruthy();

  await userEvent.clear(code);
  await userEvent.type(code, "123 456{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(await screen.findByRole("dialog", { name: "Two-factor authentication is on" })).toBeTruthy();
  expect(sent("POST /api/otp_secret_save").at(-1)?.query.toString()).toBe("code=123456&secret=JBSWY3DPEHPK3PXP");
  expect(queryClient.getQueryData(["profile"])).toBeUndefined();
});

test("a cancelled set-up leaves nothing on the page", async () => {
  answerCalls({ "GET /profile.json": () => someProfile(), "GET /api/otp_secret_generate": () => SETUP });
  await openProfile();
  const part = await block();
  await userEvent.click(part.getByRole("button", { name: "Set up authenticator" }));
  await userEvent.click(await part.findByRole("button", { name: "Cancel" }));
  expect(document.activeElement).toBe(part.getByRole("button", { name: "Set up authenticator" }));
  expect(screen.queryByText(/JBSWY3DPEHPK3PXP/)).toBeNull();
});

test("disabling requires a code or a recovery code, and redirects to the sign-in", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ has_authenticator: true, recovery_codes_left: 2 }),
    "GET /api/otp_secret_clear": ({ query }) =>
      query.get("code") === "aaaa-bbbb" ? { success: true } : refused(422, "Your code is incorrect"),
  });
  const { router } = await openProfile();
  const part = await block();
  expect(part.getByText(/2 recovery codes are left/)).toBeTruthy();
  await userEvent.click(part.getByRole("button", { name: "Disable authenticator" }));
  expect(document.activeElement).toBe(part.getByLabelText("Verification code"));
  await userEvent.keyboard("000000{Enter}");
  expect(await part.findByText("Your code is incorrect")).toBeTruthy();
  await userEvent.click(part.getByRole("button", { name: "Use a recovery code instead" }));
  await userEvent.type(part.getByLabelText("Recovery code"), " aaaa-bbbb {Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(await screen.findByRole("dialog", { name: "Two-factor authentication is off" })).toBeTruthy();
  expect(sent("GET /api/otp_secret_clear").map(({ query }) => query.get("code"))).toEqual(["000000", "aaaa-bbbb"]);
});

test("an impersonating admin does not see the sign-in blocks", async () => {
  answerCalls({ "GET /profile.json": () => someProfile({ is_switched: true, accounts: [] }) });
  await openProfile();
  await screen.findByText("owner@example.com");
  expect(screen.queryByRole("region", { name: "Two-factor authentication" })).toBeNull();
  expect(screen.queryByRole("region", { name: "Additional sign in options" })).toBeNull();
  expect(screen.queryByText("Password")).toBeNull();
});
