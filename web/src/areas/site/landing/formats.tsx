import { FORMAT_LABELS, type Format } from "@millrace/contract";
import { Section } from "./anchors.tsx";
import { Picture } from "./screens.tsx";

/** In the order in which they are shown. */
const TEXTS: Record<Format, string> = {
  rewarded: "A video whose viewer earns something, confirmed to your server by a signed call.",
  video: "VAST with tracking, skip and end card; for players also as a plain tag.",
  native: "Title, text, image and button as data, drawn in the app's own design.",
  banner: "A strip that refreshes itself while it is visible. Plain HTML or MRAID 3.",
  interstitial: "A full screen between two moments of an app, closed by its user.",
  audio: "A spot between two songs, tracked like a video.",
};
const SHOWN = Object.keys(TEXTS) as Format[];

/** The formats, each with a picture of its ad, which in a demo a real one replaces. */
export const Formats = () => (
  <Section
    id="formats"
    title="Six formats, one call each"
    lead={
      <>
        <span className="only-demo">
          Every preview is a real ad: our SDK asks this platform's demo exchange, the auction runs, and what won is
          shown.
        </span>
        <span className="not-demo">
          Recorded from the SDK in the demonstration that comes with the platform. Its ads and brands are made up.
        </span>
      </>
    }
  >
    <ul className="formats">
      {SHOWN.map((format) => (
        <li key={format} className="format panel">
          <div className="phone" data-preview={format} data-title={`${FORMAT_LABELS[format]}: an ad`}>
            <Picture name={`format-${format}`} alt={`${FORMAT_LABELS[format]}: an ad in an app`} size={[320, 480]} />
            <button
              type="button"
              className="button play"
              aria-label={`Show a real ad: ${FORMAT_LABELS[format]}`}
              hidden
            >
              Show a real ad
            </button>
          </div>
          <h3>{FORMAT_LABELS[format]}</h3>
          <p>{TEXTS[format]}</p>
        </li>
      ))}
    </ul>
  </Section>
);
