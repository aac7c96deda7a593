import { Panel } from "../../../ui/panel.tsx";
import classes from "./summary.module.css";

/** What a campaign will do in one respect. */
export interface Words {
  about: string;
  text: string;
  /** Something is still missing or unreadable. */
  open?: boolean;
}

/** What a campaign will do with its settings, in words. */
export const SummaryPanel = ({ lines }: { lines: readonly Words[] }) => (
  <Panel title="What it will do" aside="With these settings">
    <dl className={classes.words}>
      {lines.map(({ about, text, open }) => (
        <div key={about} data-open={open ? "" : undefined}>
          <dt>{about}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Panel>
);
