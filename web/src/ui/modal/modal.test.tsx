import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { Modal } from "./modal.tsx";

/** A list with removable rows. `kept` says whether the dialog stays mounted while it is closed. */
function Rows({ kept }: { kept: boolean }) {
  const [rows, setRows] = useState(["first", "second"]);
  const [asked, setAsked] = useState<string | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <h1 tabIndex={-1}>Rows</h1>
      {rows.map((row) => (
        <button key={row} onClick={() => setAsked(row)}>
          {row}
        </button>
      ))}
      {kept || asked !== null ? (
        <Modal opened={asked !== null} onClose={close} title="Delete it?">
          <button
            onClick={() => {
              setRows(rows.filter((row) => row !== asked));
              close();
            }}
          >
            Delete
          </button>
        </Modal>
      ) : null}
    </>
  );
}

test.each([true, false])("a closed dialog restores the focus; it stays mounted: %s", async (kept) => {
  renderPart(<Rows kept={kept} />);
  await userEvent.click(screen.getByText("second"));
  await screen.findByRole("dialog", { name: "Delete it?" });
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText("second")));
});

/** A table whose rows lose their button, or all of them, once a dialog has closed. */
function Settling() {
  const [open, setOpen] = useState(false);
  const [left, setLeft] = useState(["Settle", "Ask"]);
  return (
    <>
      <h1 tabIndex={-1}>Payouts</h1>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as a table that scrolls */}
      <div role="region" aria-label="Payouts" tabIndex={0}>
        <table>
          <tbody>
            <tr>
              <td>
                {left.map((name) => (
                  <button key={name} onClick={() => setOpen(true)}>
                    {name}
                  </button>
                ))}
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      <button onClick={() => setLeft((names) => names.slice(1))}>Reload</button>
      <Modal opened={open} onClose={() => setOpen(false)} title="Settle it?">
        <button onClick={() => setOpen(false)}>Done</button>
      </Modal>
    </>
  );
}

test("a button that is removed after its dialog has closed passes the focus to its row, then to its table", async () => {
  renderPart(<Settling />);
  const reload = screen.getByText("Reload");
  for (const [pressed, next] of [
    [screen.getByText("Settle"), screen.getByText("Ask")],
    [screen.getByText("Ask"), screen.getByRole("region")],
  ] as const) {
    await userEvent.click(pressed);
    await userEvent.click(await screen.findByText("Done"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(pressed));
    // As a reply that comes later, without a press.
    act(() => reload.click());
    await waitFor(() => expect(document.activeElement).toBe(next));
  }
});

test.each([true, false])("a click outside closes a dialog only if the dialog says so: %s", async (overlayCloses) => {
  const onClose = vi.fn<() => void>();
  renderPart(
    <Modal opened onClose={onClose} title="Rename it" overlayCloses={overlayCloses}>
      <input aria-label="Name" />
    </Modal>,
  );
  await userEvent.type(await screen.findByLabelText("Name"), "Typed");
  await userEvent.click(document.querySelector(".mantine-Modal-overlay")!);
  expect(onClose).toHaveBeenCalledTimes(overlayCloses ? 1 : 0);
});

test("unless told otherwise, a click outside does not discard what was typed", async () => {
  const onClose = vi.fn<() => void>();
  renderPart(
    <Modal opened onClose={onClose} title="Rename it">
      <input aria-label="Name" />
    </Modal>,
  );
  await screen.findByLabelText("Name");
  await userEvent.click(document.querySelector(".mantine-Modal-overlay")!);
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([true, false])(
  "the page's heading gets the focus if the row is deleted; the dialog stays mounted: %s",
  async (kept) => {
    renderPart(<Rows kept={kept} />);
    await userEvent.click(screen.getByText("second"));
    await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Rows" })));
  },
);
