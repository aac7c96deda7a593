import { type Body, type Reply, TEXTS, type campaignAppInfo as call } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import type { CampaignsDeps } from "./deps.ts";

/** Begins to look up the app to advertise, or tells how far the look-up is. */
export async function lookUpApp(
  { appLookup }: Pick<CampaignsDeps, "appLookup">,
  accountId: number,
  { url, qid }: Body<typeof call>,
): Promise<Reply<typeof call>> {
  if (qid !== undefined) {
    const { state, items } = await appLookup.find(accountId, qid);
    // Apps of televisions and such are not advertised.
    const mobile = items.filter(({ platform }) => platform === "android" || platform === "ios");
    return { qid, status: state, ...(state === "done" && { items: mobile }) };
  }
  const begun = url === undefined || url === "" ? null : await appLookup.begin(accountId, url);
  if (begun === null) throw new Problem("invalid", { url: TEXTS.incorrectUrlOrId });
  return { qid: begun, status: "waiting" };
}
