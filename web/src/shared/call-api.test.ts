import { SIGNED_IN_AS, TEXTS, appStats, listApps, login } from "@millrace/contract";
import { afterEach, expect, test, vi } from "vitest";
import { type ApiError, addressOf, callApi, causeOf, isLoggedOut } from "./call-api.ts";
import { isLeft, leavePage, signInAs, signOut } from "./signed-in-as.ts";

afterEach(() => vi.unstubAllGlobals());

const UUID = "00000000-0000-4000-8000-000000000001";

function answer(status: number, body: unknown, redirected = false) {
  const fetched = vi.fn<typeof fetch>(async () => {
    const response = Response.json(body, { status });
    Object.defineProperty(response, "redirected", { value: redirected });
    return response;
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

const failing = async () =>
  callApi(login, { body: { email: "a@b.test", password: "secret" } }).then(
    () => Promise.reject(new Error("it did not fail")),
    (failure: unknown) => failure as ApiError,
  );

test("params are filled in and lists become repeated keys", () => {
  expect(addressOf(appStats, { id: UUID }, { func: ["stats"], format: ["banner", "video"], view: undefined })).toBe(
    `/apps/${UUID}/stats.json?func=stats&format=banner&format=video`,
  );
});

test("a change says as whom the page was opened, and nobody else's session is taken for it", async () => {
  const fetched = answer(200, { redirect_to: "/apps" });
  expect(signInAs(UUID)).toBe(true);
  expect(signInAs("another")).toBe(false);
  await callApi(login, { body: { email: "a@b.test", password: "secret" } });
  expect(fetched.mock.lastCall?.[1]?.headers).toMatchObject({ [SIGNED_IN_AS]: UUID });
  await callApi(listApps, { query: {} }).catch(() => undefined);
  expect(fetched.mock.lastCall?.[1]?.headers).not.toHaveProperty(SIGNED_IN_AS);
  leavePage();
  expect([signInAs("another"), isLeft()]).toEqual([false, true]);
  await callApi(login, { body: { email: "a@b.test", password: "secret" } });
  expect(fetched.mock.lastCall?.[1]?.headers).toMatchObject({ [SIGNED_IN_AS]: UUID });
  signOut();
  await callApi(login, { body: { email: "a@b.test", password: "secret" } });
  expect(fetched.mock.lastCall?.[1]?.headers).not.toHaveProperty(SIGNED_IN_AS);
});

test("a body goes out as JSON, and JSON is asked for", async () => {
  const fetched = answer(200, { redirect_to: "/apps" });
  await expect(callApi(login, { body: { email: "a@b.test", password: "secret" } })).resolves.toEqual({
    redirect_to: "/apps",
  });
  expect(fetched).toHaveBeenCalledWith("/login.json", {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: '{"email":"a@b.test","password":"secret"}',
  });
});

test("an error message is shown as it is", async () => {
  answer(422, { error: "Wrong e-mail or password" });
  await expect(failing()).resolves.toMatchObject({ status: 422, message: "Wrong e-mail or password", fields: {} });
});

test("an error with fields shows the first message and keeps all of them", async () => {
  const error = { email: "Enter a valid email address", password: "This field is required" };
  answer(400, { error });
  await expect(failing()).resolves.toMatchObject({ message: error.email, fields: error });
});

test("an error without a message gets the general message", async () => {
  answer(502, "bad gateway");
  await expect(failing()).resolves.toMatchObject({ status: 502, message: TEXTS.requestFailed });
});

test("a missing reply gets the general message", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(failing()).resolves.toMatchObject({ status: 0, message: TEXTS.requestFailed });
});

test("a redirected reply means that the session has ended", async () => {
  answer(200, { redirect_to: "/" }, true);
  expect(isLoggedOut(await failing())).toBe(true);
});

test("the cause of a failure can be quoted", async () => {
  answer(503, { error: 'The store "statistics" is away.' });
  expect(causeOf(await failing())).toBe("The store 'statistics' is away.");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(causeOf(await failing())).toBe("The platform did not answer");
});

test("a reply that does not match the contract is an error", async () => {
  answer(200, { apps: "many" });
  await expect(callApi(listApps, { query: {} })).rejects.toThrow(TEXTS.requestFailed);
});
