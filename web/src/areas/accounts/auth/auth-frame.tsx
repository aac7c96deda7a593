import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { BrandLink } from "../../../shared/brand-link.tsx";
import { PATHS } from "../../../shared/paths.ts";
import classes from "./auth-frame.module.css";
import { useWindowTitle } from "../../../ui/use-window-title.ts";

/** The page around an auth form or a mailed link: the brand, one panel, and the legal links. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  useWindowTitle(title);
  return (
    <div className={classes.page}>
      <header>
        <BrandLink large />
      </header>
      <main className={classes.panel}>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
      <footer className={classes.foot}>
        <Link to={PATHS.terms}>Terms</Link>
        <Link to={PATHS.privacy}>Privacy</Link>
      </footer>
    </div>
  );
}
