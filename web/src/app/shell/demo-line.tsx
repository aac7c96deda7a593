import classes from "./shell.module.css";

/** The progress of generating a demo's history; afterwards only the footer mentions the demo. */
export function DemoLine({ progress }: { progress: number }) {
  const percent = Math.floor(progress * 100);
  if (percent >= 100) return null;
  return (
    <p className={classes.demo}>
      Demo data · history filling {percent}%
      <progress value={percent} max={100} aria-label="History filling" />
    </p>
  );
}
