import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import classes from "./form.module.css";

interface HeadingProps {
  text: string;
  /** The list that it belongs to: the campaigns by default. */
  above?: { to: typeof PATHS.campaigns | typeof PATHS.inhouse; label: string };
  children?: ReactNode;
}

const CAMPAIGNS = { to: PATHS.campaigns, label: "Campaigns" } as const;

/** The title of a form, below its list. */
export function Heading({ text, above = CAMPAIGNS, children }: HeadingProps) {
  return (
    <div className={classes.heading}>
      <nav aria-label="Breadcrumb">
        <Link to={above.to} search={{}} activeOptions={{ exact: true }}>
          {above.label}
        </Link>
        <span aria-hidden="true">/</span>
      </nav>
      <h1 tabIndex={-1}>{text}</h1>
      {children}
    </div>
  );
}

/** Says that the campaign is saved and goes on. */
export function useArrival(words: string, otherwise: string = PATHS.campaigns) {
  const router = useRouter();
  const { tell } = useNotify();
  return ({ redirect_to }: { redirect_to?: string | undefined }) => {
    tell(words);
    router.history.push(ownPath(redirect_to, otherwise));
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
