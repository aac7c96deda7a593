import { BrandMark } from "../../ui/brand-mark.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import classes from "./shell.module.css";

/** The shell while the session loads. */
export function ShellPending() {
  return (
    <div className={classes.shell} aria-busy="true">
      <div className={classes.sidebar}>
        <span className={classes.brand}>
          <BrandMark /> Millrace
        </span>
      </div>
      <div className={classes.main}>
        <div className={classes.header}>
          <SkeletonBar width="180px" height="18px" />
        </div>
        <div className={classes.content}>
          <SkeletonBar height="92px" />
        </div>
      </div>
    </div>
  );
}
