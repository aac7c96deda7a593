import { Link } from "@tanstack/react-router";
import { PATHS } from "../../shared/paths.ts";
import classes from "./shell.module.css";

export function Footer({ demo }: { demo: boolean }) {
  return (
    <footer className={classes.footer}>
      <span>© {new Date().getUTCFullYear()} Millrace</span>
      <nav aria-label="Legal">
        <Link to={PATHS.terms}>Terms</Link>
        <Link to={PATHS.eula}>EULA</Link>
        <Link to={PATHS.privacy}>Privacy</Link>
      </nav>
      {demo ? <span>Demo data: the traffic is simulated</span> : null}
    </footer>
  );
}
