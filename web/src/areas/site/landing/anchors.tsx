import type { SignUpRole } from "@millrace/contract";
import type { ReactNode } from "react";
import { PATHS } from "../../../shared/paths.ts";

interface AuthAnchorProps {
  authForm: "login" | "signup";
  /** What the visitor wants to sign up as; the form has a choice of its own. */
  role?: SignUpRole;
  className: string;
  children: ReactNode;
}

/** Leads to an auth form's own page; with script it opens the form over this one. */
export const AuthAnchor = ({ authForm, role, className, children }: AuthAnchorProps) => (
  <a href={role ? `${PATHS[authForm]}?role=${role}` : PATHS[authForm]} data-auth={authForm} className={className}>
    {children}
  </a>
);

interface SectionProps {
  id: string;
  title: string;
  lead: ReactNode;
  /** Stands on the panel's colour. */
  isRaised?: boolean;
  children: ReactNode;
}

/** A part of the page that its navigation leads to. */
export const Section = ({ id, title, lead, isRaised = false, children }: SectionProps) => (
  <section id={id} className={isRaised ? "part raised" : "part"} aria-labelledby={`${id}-title`}>
    <div className="wide">
      <div className="head">
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </div>
  </section>
);
