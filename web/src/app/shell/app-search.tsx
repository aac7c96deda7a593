import { Suspense, lazy } from "react";
import { loadAppSearch } from "../../areas/apps/index.ts";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import classes from "./shell.module.css";

const Search = lazy(async () => ({ default: (await loadAppSearch()).AppSearch }));

/** The header's search, loaded after the page. */
export function AppSearch({ ofAllAccounts }: { ofAllAccounts: boolean }) {
  return (
    <div className={classes.search}>
      <Suspense fallback={<SkeletonBar height="32px" />}>
        <Search ofAllAccounts={ofAllAccounts} />
      </Suspense>
    </div>
  );
}
