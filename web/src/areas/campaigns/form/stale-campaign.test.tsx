import { TEXTS } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { refused } from "../../../testing/answer-calls.ts";
import { EDIT, SAVED, openEdit, press, save } from "../testing/open-form.tsx";
import { CHOICES, REVISION, UUID, someCampaign } from "../testing/some-campaign.ts";

const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test("a campaign that somebody has changed meanwhile is not overwritten, and can be reloaded", async () => {
  let revision = REVISION;
  let isAway = false;
  const { router, sent } = await openEdit({
    [`GET /campaign/${UUID}`]: () =>
      isAway
        ? refused(503, "The platform is starting")
        : { revision, campaign: someCampaign({ budget: revision === REVISION ? 0 : 9_000_000 }), ...CHOICES },
    [EDIT]: ({ query }) => (query.get("revision") === revision ? SAVED : refused(409, TEXTS.stale)),
  });
  await userEvent.type(screen.getByLabelText("Campaign name"), " sale");
  revision = "next";
  await save();
  await screen.findByText(TEXTS.stale);
  isAway = true;
  await press("Reload");
  await screen.findByText("The platform is starting");
  // What was entered stays until there is something to show in its place.
  expect(valueOf("Campaign name")).toBe("Autumn sale");
  isAway = false;
  await press("Reload");
  await waitFor(() => expect(valueOf("Budget in all")).toBe("9.00"));
  expect(valueOf("Campaign name")).toBe("Autumn");
  expect(screen.queryByText(TEXTS.stale)).toBeNull();
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/campaign"));
  expect(sent(EDIT).map(({ query }) => query.get("revision"))).toEqual([REVISION, "next"]);
});
