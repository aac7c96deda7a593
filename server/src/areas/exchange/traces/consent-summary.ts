import type { AuctionDecision, AuctionInput } from "@millrace/auction";
import { leavesLawOpen } from "../privacy/privacy-of.ts";

/** What privacy signals did to an auction, as its trace records it: a word and a sentence. */
export function consentSummary(
  { app, request, consent, participants, redactions = [] }: AuctionInput,
  { eligible, refused }: Pick<AuctionDecision, "eligible" | "refused">,
): { label: string; text: string } {
  const isChild = app.childDirected || request.regs?.coppa === 1;
  const unasked = refused.filter(
    ({ reason }) => reason === "consent_missing" || reason === "consent_unreachable",
  ).length;
  const withheld = redactions.flatMap(({ removed, participantIds }) =>
    removed.length > 0 ? participantIds : [],
  ).length;
  // Campaigns are not called, so nothing is withheld from them.
  const isCalled = (id: string) => participants.some((each) => each.id === id && each.kind === "bidding");
  const asked = eligible.filter(({ participantId }) => isCalled(participantId)).length;
  const facts = [
    consent.gdprApplies
      ? `GDPR applies${leavesLawOpen(request.regs) ? ", though the request does not say so" : ""}`
      : "",
    isChild ? "child-directed (COPPA)" : "",
    unasked > 0 ? `${unasked} not asked for want of consent` : "",
    withheld > 0 ? `personal data withheld from ${withheld} of ${asked} asked` : "",
  ].filter((fact) => fact !== "");
  const [first, ...rest] = facts;
  if (first === undefined) return { label: "No limits", text: "No privacy signal limited this request" };
  const isLimited = isChild || unasked > 0 || withheld > 0;
  return {
    label: isLimited ? "Limited" : "Given",
    text: [`${first[0]?.toUpperCase()}${first.slice(1)}`, ...rest].join("; "),
  };
}
