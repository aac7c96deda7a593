import classes from "./shell.module.css";

/** How far the history of a demonstration has come; afterwards the footer alone says what the figures are. */
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
