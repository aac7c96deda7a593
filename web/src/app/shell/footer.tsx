import { LegalLinks } from "../../shared/legal-links.tsx";
import classes from "./shell.module.css";

export function Footer({ demo }: { demo: boolean }) {
  return (
    <footer className={classes.footer}>
      <span>© {new Date().getUTCFullYear()} Millrace</span>
      <LegalLinks />
      {demo ? <span>Demo data: traffic is simulated</span> : null}
    </footer>
  );
}
