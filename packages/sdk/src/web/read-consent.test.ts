import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readConsent } from "./read-consent.ts";

type Heard = (event: { listenerId: number; pingData: object }) => void;

const listeners = new Map<number, Heard>();
let ping: object;
let added = 0;

beforeEach(() => {
  listeners.clear();
  added = 0;
  ping = { signalStatus: "not ready" };
  // As IAB GPP's "CMP API" 1.1 has it: a listener hears at once that it was added.
  const gpp = (command: string, callback: (data: unknown, ok: boolean) => void, id?: number) => {
    if (command === "ping") callback(ping, true);
    if (command === "removeEventListener") callback(listeners.delete(id ?? 0), true);
    if (command !== "addEventListener") return;
    added += 1;
    listeners.set(added, callback as unknown as Heard);
    callback({ eventName: "listenerRegistered", listenerId: added, pingData: ping }, true);
  };
  vi.stubGlobal("window", { __gpp: gpp });
});
afterEach(() => void vi.unstubAllGlobals());

test("a choice that is known is read without a listener at the consent platform", async () => {
  ping = { signalStatus: "ready", gppString: "DBAA", applicableSections: [2] };
  expect(await readConsent()).toEqual({ gpp: "DBAA", gpp_sid: [2] });
  expect(added).toBe(0);
});

test("while the user is asked, all requests wait by one listener, which is removed with the choice", async () => {
  const waiting = [readConsent(), readConsent(), readConsent()];
  await Promise.resolve();
  expect(listeners.size).toBe(1);
  ping = { signalStatus: "ready", gppString: "DBAA", applicableSections: [2] };
  const choice = { gpp: "DBAA", gpp_sid: [2] };
  for (const [listenerId, heard] of listeners) heard({ listenerId, pingData: ping });
  expect(await Promise.all(waiting)).toEqual([choice, choice, choice]);
  expect(listeners.size).toBe(0);
});
