import type { ReactNode } from "react";
import { HELP_ADDRESS } from "./paths.ts";

interface HelpLinkProps {
  /** A page of the help and an anchor in it: `reasons#below_floor`. */
  to: string;
  children: ReactNode;
}

/** A link to what the help says, in a new tab. The code that is explained is the anchor, so that no page carries a list of them. */
export const HelpLink = ({ to, children }: HelpLinkProps) => (
  <a href={HELP_ADDRESS + to} target="_blank" rel="noreferrer">
    {children}
  </a>
);
