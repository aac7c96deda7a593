import type { CampaignStep } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { DemoMoney } from "../../../shared/demo-money.tsx";
import { StepItem } from "../../../shared/first-steps/step-item.tsx";
import { StepsPanel } from "../../../shared/first-steps/steps-panel.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { useKnownSession, useMayUse } from "../../../shared/session.ts";
import { isComplete, useCampaignFirstSteps } from "./api.ts";
import classes from "./campaign-first-steps.module.css";
import { campaignStepWords } from "./campaign-step-words.ts";

/** The way from a new advertiser to the first spend, ticked by real events while one watches. Shows nothing once it is there. */
export function CampaignFirstSteps() {
  const query = useCampaignFirstSteps();
  const isDemo = useKnownSession()?.demo.running === true;
  const steps = query.data;
  if (steps === undefined || isComplete(steps)) return null;
  const current = steps.steps.find(({ state }) => state !== "done");
  return (
    <div className={classes.above}>
      <StepsPanel
        done={steps.steps.filter(({ state }) => state === "done").length}
        of={steps.steps.length}
        query={query}
        steps={steps.steps.map((step, index) => (
          <StepItem
            key={step.step}
            nth={index + 1}
            {...step}
            {...campaignStepWords(step, steps, isDemo)}
            isCurrent={step === current}
          >
            <Action step={step} />
          </StepItem>
        ))}
      />
    </div>
  );
}

/** What the user can do about a step that is not done, if their role may. */
function Action({ step: { step, state } }: { step: CampaignStep }) {
  const may = useMayUse();
  if (state === "done" || !may("campaigns.manage")) return null;
  if (step === "campaign") {
    return (
      <Link to={PATHS.campaignAdd} search={{}}>
        Add the campaign
      </Link>
    );
  }
  return step === "balance" ? <DemoMoney /> : null;
}
