import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense, lazy, useState } from "react";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { Modal } from "../../ui/modal/modal.tsx";

const AuctionDrawer = lazy(async () => ({ default: (await import("./auction-drawer.tsx")).AuctionDrawer }));

const ID = "00000000-0000-4000-8000-00000000000a";

/** A drawer that is loaded when it is first opened, over a dialog. */
function Samples() {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  const explain = () => {
    setAsked(true);
    setWasAsked(true);
  };
  return (
    <>
      <button onClick={() => setOpen(true)}>Details</button>
      <Modal opened={open} onClose={() => setOpen(false)} title="Deduction">
        <button onClick={explain}>Sample</button>
      </Modal>
      {wasAsked ? (
        <Suspense>
          <AuctionDrawer
            subject={asked ? { id: ID, title: "A sample", provider: null } : null}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

test("Escape closes the drawer alone, and the focus returns to what opened it, the first time too", async () => {
  answerCalls({ [`GET /auctions/${ID}.json`]: () => refused(404, "There is no such auction") });
  await renderPage(Samples, "/deductions");
  await userEvent.click(await screen.findByText("Details"));
  for (let time = 0; time < 2; time += 1) {
    await userEvent.click(await screen.findByText("Sample"));
    const drawer = await screen.findByRole("dialog", { name: "A sample" });
    await within(drawer).findByText("No record of this auction found");
    await waitFor(() => expect(drawer.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "A sample" })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText("Sample")));
  }
  expect(screen.getByRole("dialog", { name: "Deduction" })).toBeTruthy();
});
