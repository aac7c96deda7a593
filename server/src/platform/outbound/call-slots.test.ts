import { expect, onTestFinished, test, vi } from "vitest";
import { CallSlots } from "./call-slots.ts";

test("slow receivers share their slots, and one that answers quickly again has all of its own", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const slots = new CallSlots<string>({ each: 3, slow: 2 });
  const slow = ["a", "a", "b"].map((name) => slots.begin(name));
  vi.advanceTimersByTime(5000);
  for (const end of slow) end();
  expect([slots.slow.toSorted(), slots.leftForSlow, slots.full]).toEqual([["a", "b"], 2, []]);
  const [first, second] = [slots.begin("a"), slots.begin("b")];
  expect(["a", "b", "quick"].map((name) => slots.hasRoomFor(name))).toEqual([false, false, true]);
  // Two of its calls were slow, so two must be quick.
  first();
  second();
  slots.begin("a")();
  expect(slots.slow).toEqual([]);
  for (let nth = 0; nth < 3; nth++) slots.begin("a");
  expect([slots.full, slots.hasRoomFor("a")]).toEqual([["a"], false]);
});
