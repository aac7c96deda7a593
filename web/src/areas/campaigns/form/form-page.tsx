import type { Reply, addCampaign } from "@millrace/contract";
import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import classes from "./form.module.css";

/** The title of a form, below the campaigns. */
export function Heading({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.heading}>
      <nav aria-label="Breadcrumb">
        <Link to={PATHS.campaigns} search={{}}>
          Campaigns
        </Link>
        <span aria-hidden="true">/</span>
      </nav>
      <h1 tabIndex={-1}>{text}</h1>
      {children}
    </div>
  );
}

/** Says that the campaign is saved and goes on; nothing is unsaved any more, so nobody is asked. */
export function useArrival(words: string) {
  const router = useRouter();
  const { tell } = useNotify();
  return ({ redirect_to }: Reply<typeof addCampaign>) => {
    tell(words);
    router.history.push(ownPath(redirect_to, PATHS.campaigns), undefined, { ignoreBlocker: true });
  };
}

export const FormSkeleton = () => (
  <div className={classes.columns}>
    <div className={classes.settings}>
      <SkeletonBar height="150px" />
      <SkeletonBar height="220px" />
      <SkeletonBar height="280px" />
    </div>
    <div className={classes.beside}>
      <SkeletonBar height="320px" />
    </div>
  </div>
);
