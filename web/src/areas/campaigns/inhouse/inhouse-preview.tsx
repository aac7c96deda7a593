import { Panel } from "../../../ui/panel.tsx";
import { sizeText } from "../form/upload-rules.ts";
import type { InhouseDraft } from "./inhouse-draft.ts";
import classes from "./inhouse.module.css";

const SCREENS = [
  { name: "portrait", own: "image_p", other: "image_l" },
  { name: "landscape", own: "image_l", other: "image_p" },
] as const;

/** The creative on both kinds of screens. */
export function Preview({ draft }: { draft: InhouseDraft }) {
  const { format, video_orientation, interstitial_waterfall } = draft;
  if (format === "image")
    return (
      <Panel title="Preview">
        <Images draft={draft} />
      </Panel>
    );
  const shown = SCREENS.filter(({ name }) => ["all", name].includes(video_orientation));
  return (
    <Panel title="Preview">
      <div className={classes.screens}>
        {shown.map(({ name }) => (
          <Played key={name} shape={name} video={draft.video} />
        ))}
      </div>
      {interstitial_waterfall ? (
        <>
          <p className={classes.above}>In interstitials that nobody bought</p>
          <Images draft={draft} />
        </>
      ) : null}
    </Panel>
  );
}

function Played({ shape, video }: { shape: string; video: InhouseDraft["video"] }) {
  return (
    <div className={classes.screen} data-shape={shape}>
      {video === null ? (
        <p>The video appears here.</p>
      ) : (
        <video
          src={video.url}
          aria-label={`On a ${shape} screen: ${sizeText(video)} pixels`}
          controls
          muted
          playsInline
          preload="metadata"
        />
      )}
    </div>
  );
}

/** The images, of which the one that fits the screen is shown. */
function Images({ draft }: { draft: InhouseDraft }) {
  return (
    <div className={classes.screens}>
      {SCREENS.map(({ name, own, other }) => {
        const image = draft[own] ?? draft[other];
        return (
          <div key={name} className={classes.screen} data-shape={name}>
            {image === null ? (
              <p>The image appears here.</p>
            ) : (
              <img src={image.url} alt={`On a ${name} screen: ${sizeText(image)} pixels`} />
            )}
          </div>
        );
      })}
    </div>
  );
}
