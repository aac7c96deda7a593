import { Suspense, lazy } from "react";
import { Bone } from "../../ui/states/skeletons.tsx";
import classes from "./shell.module.css";

const Search = lazy(async () => ({ default: (await import("../../areas/apps/index.ts")).AppSearch }));

/** The header's search; it comes with the area of apps, which the first page of most visits loads anyway. */
export function AppSearch({ ofAllAccounts }: { ofAllAccounts: boolean }) {
  return (
    <div className={classes.search}>
      <Suspense fallback={<Bone height="32px" />}>
        <Search ofAllAccounts={ofAllAccounts} />
      </Suspense>
    </div>
  );
}
