import { type ComponentProps, Suspense, lazy } from "react";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";

const SelectField = lazy(async () => ({ default: (await import("../../../ui/form/select-field.tsx")).SelectField }));

/** A select that loads with the first one shown: a new campaign has none until a limit or a range is added. */
export const LaterSelectField = (props: ComponentProps<typeof SelectField>) => (
  <Suspense fallback={<SkeletonBar height="58px" />}>
    <SelectField {...props} />
  </Suspense>
);
