import type { AppIdentity } from "@millrace/contract";
import { Suspense, lazy } from "react";
import { FirstStepsSkeleton } from "./first-steps-skeleton.tsx";

const FirstSteps = lazy(async () => ({ default: (await import("./first-steps.tsx")).FirstSteps }));

/** The first steps of a new app, loaded for such an app only: an SDK's version is known from its first impression on. */
export function FirstStepsLater({ app }: { app: AppIdentity }) {
  if (app.sdk_info.version !== null) return null;
  return (
    <Suspense fallback={app.is_sample ? null : <FirstStepsSkeleton />}>
      <FirstSteps app={app} />
    </Suspense>
  );
}
