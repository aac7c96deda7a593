import { type AppIdentity, type FirstStep, type FirstSteps as Steps, TEXTS } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { RemoveSamples } from "../apps/remove-samples.tsx";
import { PATHS } from "../paths.ts";
import { useMayUse } from "../session.ts";
import { TestAd } from "../test-ad/test-ad.tsx";
import { ConnectDemo } from "./connect-demo.tsx";
import classes from "./first-steps.module.css";
import { FirstStepsSkeleton } from "./first-steps-skeleton.tsx";
import { StepItem } from "./step-item.tsx";
import { stepWords } from "./step-words.ts";
import { StepsPanel } from "./steps-panel.tsx";
import { hasFigures, isComplete, useFirstSteps } from "./use-first-steps.ts";

interface FirstStepsProps {
  app: Pick<AppIdentity, "uuid" | "is_sample" | "sdk_info" | "sdk_status" | "sdk_status_class">;
  /** The page around it already shows the snippets and test ads. */
  hasSnippets?: boolean;
}

/**
 * The way from a new app to its first ad, ticked by real events while one watches. Shows nothing once the app has had an
 * impression, and for a sample app says that it is one.
 */
export function FirstSteps({ app, hasSnippets = false }: FirstStepsProps) {
  // An SDK's version is known from its first impression on, so most apps need not be asked.
  const query = useFirstSteps(app.uuid, app.sdk_info.version === null);
  const steps = query.data;
  if (steps?.is_sample) return <SampleNote isFilled={hasFigures(steps)} />;
  if (steps === undefined && query.isLoading && !app.is_sample) return <FirstStepsSkeleton />;
  if (steps === undefined || isComplete(steps)) return null;
  const required = steps.steps.filter(({ step }) => step !== "app_ads");
  const done = required.filter(({ state }) => state === "done").length;
  const current = steps.steps.find(({ state }) => state !== "done");
  return (
    <StepsPanel
      done={done}
      of={required.length}
      query={query}
      steps={steps.steps.map((step, index) => (
        <StepItem key={step.step} nth={index + 1} {...step} {...stepWords(step, steps)} isCurrent={step === current}>
          <Action step={step} steps={steps} uuid={app.uuid} hasSnippets={hasSnippets} />
        </StepItem>
      ))}
    >
      {hasSnippets ? null : (
        <div className={classes.test}>
          <TestAd app={app} />
        </div>
      )}
    </StepsPanel>
  );
}

/** Says on the page itself that a sample's figures are made up; they are made in the background. */
const SampleNote = ({ isFilled }: { isFilled: boolean }) => (
  <div className={classes.sample}>
    <p role="note">
      {TEXTS.sampleApp}
      {isFilled ? null : " Its week of figures appears within a minute."}
    </p>
    <RemoveSamples />
  </div>
);

interface ActionProps {
  step: FirstStep;
  steps: Steps;
  uuid: string;
  hasSnippets: boolean;
}

/** What the user can do about a step that is not done, if their role may. */
function Action({ step: { step, state }, steps, uuid, hasSnippets }: ActionProps) {
  const may = useMayUse();
  if (state === "done") return null;
  if (step === "demand" && may("keys.manage") && steps.partners_available > 0) {
    return (
      <>
        {steps.has_demo_partners ? <ConnectDemo uuid={uuid} /> : null}
        <Link to={PATHS.appDsp} params={{ uuid }}>
          Enter keys
        </Link>
      </>
    );
  }
  if (step === "snippet" && !hasSnippets && may("instructions.read")) {
    return (
      <Link to={PATHS.appSettings} params={{ uuid }}>
        Show the snippets
      </Link>
    );
  }
  if (step === "app_ads" && may("appAds.read")) {
    return <Link to={PATHS.appAds}>{steps.has_site ? "Show the lines" : "Set the site"}</Link>;
  }
  return null;
}
