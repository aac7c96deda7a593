import { type ReactNode, useId } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  title: string;
  /** It is the page's heading too, and is not shown twice. */
  repeatsHeading?: boolean | undefined;
  /** Small text or controls to the right of the title. */
  aside?: ReactNode;
  busy?: boolean;
  children: ReactNode;
}

/** A block of a page: a titled region between hairlines. */
export function Panel({ title, repeatsHeading = false, aside, busy = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id} aria-busy={busy}>
      <div className={classes.head}>
        <h2 id={id} className={repeatsHeading ? "visually-hidden" : classes.title}>
          {title}
        </h2>
        {aside === undefined ? null : <div className={classes.aside}>{aside}</div>}
      </div>
      {children}
    </section>
  );
}
