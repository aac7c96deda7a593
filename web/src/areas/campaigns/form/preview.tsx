import { Panel } from "../../../ui/panel.tsx";
import type { CreativeDraft } from "./draft.ts";
import classes from "./summary.module.css";
import { sizeText } from "./upload-rules.ts";

/** The chosen creative where an app shows it. */
export function Preview({ creative }: { creative: CreativeDraft }) {
  return (
    <Panel title="Preview" aside={`${sizeText(creative.image)} pixels`}>
      <div className={classes.phone} data-format={creative.format}>
        <div className={classes.ad}>
          {creative.image.video ? (
            <video
              src={creative.image.url}
              aria-label={`The creative at ${creative.click_url}`}
              controls
              muted
              playsInline
              preload="metadata"
            />
          ) : (
            <img src={creative.image.url} alt={`The creative at ${creative.click_url}`} />
          )}
          {creative.cta === "" || creative.image.video ? null : <span className={classes.cta}>{creative.cta}</span>}
          <span className={classes.close} aria-hidden="true">
            ×
          </span>
        </div>
      </div>
    </Panel>
  );
}
