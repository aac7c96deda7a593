import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { LoginPage } from "./login-page.tsx";

afterEach(() => vi.unstubAllGlobals());

const open = (address = "/login") => renderPage(LoginPage, "/login", address);
const answer = (status: number, body: unknown) => {
  const fetched = vi.fn<(address: string, init: { body: string }) => Promise<Response>>(async () =>
    Response.json(body, { status }),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
};

async function submit(email: string, password: string) {
  if (email !== "") await userEvent.type(screen.getByLabelText("Email"), email);
  if (password !== "") await userEvent.type(screen.getByLabelText("Password"), password);
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
}

test("empty fields are named under themselves and nothing is sent", async () => {
  const fetched = answer(200, { redirect_to: "/apps" });
  await open();
  await submit("", "");
  expect(screen.getAllByText("This field is required")).toHaveLength(2);
  expect(screen.getByRole("alert").textContent).toBe("Please check highlighted fields before submitting");
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  expect(fetched).not.toHaveBeenCalled();
});

test("an e-mail that is none is named under its field", async () => {
  answer(200, { redirect_to: "/apps" });
  await open();
  await submit("nobody", "secret1");
  expect(screen.getByText("Enter a valid email address")).toBeTruthy();
  expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("false");
});

test("the server's refusal stands under the button", async () => {
  answer(422, { error: "Wrong e-mail or password" });
  await open();
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Wrong e-mail or password"));
});

test("the server's word on a field stands under that field", async () => {
  answer(400, { error: { email: "Enter a valid email address" } });
  await open();
  await submit("a@b.test", "secret1");
  expect(await screen.findByText("Enter a valid email address")).toBeTruthy();
});

test("signing in leads to where the visitor wanted", async () => {
  const fetched = answer(200, { redirect_to: "/apps?p=1" });
  const { router } = await open("/login?redirect_to=%2Fapps%3Fp%3D1");
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(router.state.location.href).toBe("/apps?p=1"));
  expect(JSON.parse(fetched.mock.calls[0]?.[1].body ?? "")).toEqual({
    email: "a@b.test",
    password: "secret1",
    redirect_to: "/apps?p=1",
  });
});

test("signing in never leads to another origin", async () => {
  answer(200, { redirect_to: "//evil.test" });
  const { router } = await open();
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
});
