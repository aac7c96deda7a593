import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { UUID, openPage } from "../testing/open-page.tsx";
import { InstructionFrame } from "./instruction-frame.tsx";

const PATH = "/apps/x/settings";
const SOURCE = `/apps/${UUID}/instruction_iframe`;

async function open(at = PATH) {
  const opened = await openPage(() => <InstructionFrame uuid={UUID} />, { path: PATH, at });
  const frame = screen.getByTitle<HTMLIFrameElement>("Instructions");
  const say = (data: unknown, from: { origin?: string; source?: MessageEventSource | null } = {}) =>
    act(async () => {
      window.dispatchEvent(
        new MessageEvent("message", {
          data,
          origin: from.origin ?? window.location.origin,
          source: from.source === undefined ? frame.contentWindow : from.source,
        }),
      );
    });
  return { ...opened, frame, say };
}

test("the frame opens the part named in the address, or none for an unknown part", async () => {
  expect((await open(`${PATH}#android`)).frame.getAttribute("src")).toBe(`${SOURCE}#android`);
  document.body.replaceChildren();
  expect((await open(`${PATH}#%3Cimg%3E`)).frame.getAttribute("src")).toBe(SOURCE);
});

test("a part chosen in the frame is written to the address without reloading the frame", async () => {
  const { router, frame, say } = await open();
  const before = frame.getAttribute("src");
  await say({ type: "hash", hash: "#roku" });
  await waitFor(() => expect(router.state.location.hash).toBe("roku"));
  expect(frame.getAttribute("src")).toBe(before);
});

test("a link in the frame opens our own page", async () => {
  const { router, say } = await open();
  await say({ type: "redirect", url: `${window.location.origin}/apps/app-ads` });
  await waitFor(() => expect(router.state.location.pathname).toBe("/apps/app-ads"));
});

test("an external https address is navigated to", async () => {
  const assign = vi.fn<(url: string) => void>();
  const { say } = await open();
  const here = window.location;
  vi.stubGlobal("location", { origin: here.origin, assign });
  await say({ type: "redirect", url: "http://login.example.com/" }, { origin: here.origin });
  expect(assign).not.toHaveBeenCalled();
  await say({ type: "redirect", url: "https://login.example.com/oauth" }, { origin: here.origin });
  expect(assign).toHaveBeenCalledExactlyOnceWith("https://login.example.com/oauth");
  vi.unstubAllGlobals();
});

test("only messages of this frame and origin are handled", async () => {
  const { router, say } = await open();
  const wish = { type: "redirect", url: "/apps/app-ads" };
  await say(wish, { origin: "https://evil.example" });
  await say(wish, { origin: "null" });
  await say(wish, { source: window });
  await say(wish, { source: null });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(router.state.location.pathname).toBe(PATH);
});
