import type { CampaignFirstSteps, CampaignStep } from "@millrace/contract";
import type { StepWords } from "../../../shared/first-steps/step-words.ts";

/** What a step says in its state. */
export function campaignStepWords(step: CampaignStep, steps: CampaignFirstSteps, isDemo: boolean): StepWords {
  return WORDS[step.step](step.state, steps, isDemo);
}

type Words = (state: CampaignStep["state"], steps: CampaignFirstSteps, isDemo: boolean) => StepWords;

const WORDS = {
  campaign: (state) =>
    state === "done"
      ? { title: "Campaign added", text: "It is in the list below." }
      : {
          title: "Add a campaign",
          text: "It has an app, a schedule, countries, a bid and at least one image or video.",
        },
  balance: (state, _, isDemo) =>
    state === "done"
      ? { title: "Balance filled", text: "Campaigns spend it, and stop once it is used up." }
      : {
          title: "Fill the balance",
          text: isDemo
            ? "Campaigns spend what is on the balance. A demo's money costs nothing."
            : "Campaigns spend what is on the balance. To refill it, contact support.",
        },
  approved(state, _, isDemo) {
    if (state === "done") return { title: "Creative approved", text: "It is shown while its campaign runs." };
    if (state === "failed") {
      return {
        title: "All creatives blocked",
        text: "Edit the campaign to see why. An edited or added creative is looked at again.",
      };
    }
    const who = isDemo
      ? "In a demo, that is the admin, whose login was printed at the start: Admin, Creatives to review."
      : "You get a mail about the decision.";
    return {
      title: "Approval of a creative",
      text: `A moderator looks at each image and video before it is shown. ${who}`,
    };
  },
  spend(state, { held_by, steps }, isDemo) {
    const title = "First spend";
    if (state === "done") return { title, text: "An impression was billed." };
    const text = "Waiting for the first impression";
    const isReady = steps.every((step) => step.step === "spend" || step.state === "done");
    if (!isReady) return { title, text };
    if (held_by !== null) return { title, text: `${text}. ${held_by}` };
    // The demo's apps and campaigns trade among themselves, so that its clearing takes nobody's money along.
    return isDemo
      ? {
          title,
          text: `${text}. The demo's devices see the demo's own campaigns; yours is shown in apps that people add.`,
        }
      : { title, text };
  },
} as const satisfies Record<CampaignStep["step"], Words>;
