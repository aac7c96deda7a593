import {
  INHOUSE_FORMATS,
  INHOUSE_FORMAT_LABELS,
  INHOUSE_SDK,
  type InhouseFormat,
  SKIP_TIMERS,
  VIDEO_ORIENTATIONS,
  uploadInhouse,
} from "@millrace/contract";
import { useRef } from "react";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Dropzone } from "../form/dropzone.tsx";
import formClasses from "../form/form.module.css";
import { skipText } from "../form/upload-rules.ts";
import classes from "./inhouse.module.css";
import type { InhouseForm } from "./use-inhouse-form.ts";

const HINTS = {
  image: "In interstitials",
  video: "In video and rewarded places",
  reward: "In rewarded places alone",
} as const satisfies Record<InhouseFormat, string>;
const FORMATS = INHOUSE_FORMATS.map((value) => ({ value, label: INHOUSE_FORMAT_LABELS[value], hint: HINTS[value] }));

const FILES = {
  image_l: { what: "a landscape image", label: "Landscape", format: "image" },
  image_p: { what: "a portrait image", label: "Portrait", format: "image" },
  video: { what: "a video", label: "Video", format: "video" },
} as const;

/** What is shown: images, of which the one that fits the screen is taken, and a video for places that play one. */
export function Creative({ form }: { form: InhouseForm }) {
  const isVideo = form.draft.format !== "image";
  return (
    <Panel title="Creative">
      <div className={formClasses.stack}>
        <ChoiceField {...form.field("format")} label="Format" options={FORMATS} />
        {isVideo ? (
          <div className={classes.files}>
            <File form={form} field="video" />
            <VideoFields form={form} />
          </div>
        ) : null}
        <div className={classes.files}>
          <File form={form} field="image_l" />
          <File form={form} field="image_p" />
        </div>
        <p className={formClasses.hint}>
          {`Of two images, the one that fits the screen is shown. SDK versions below ${INHOUSE_SDK.oneImage} need both images`}
          {isVideo ? `; ${INHOUSE_SDK.video} and later are needed for video.` : "."}
        </p>
      </div>
    </Panel>
  );
}

function File({ form: { draft, set, errors }, field }: { form: InhouseForm; field: keyof typeof FILES }) {
  const { what, label, format } = FILES[field];
  const place = useRef<HTMLFieldSetElement>(null);
  return (
    <fieldset ref={place} name={field} className={formClasses.bare} aria-label={label}>
      <span className={formClasses.label}>{label}</span>
      <Dropzone
        format={format}
        what={what}
        call={uploadInhouse}
        file={draft[field]}
        error={errors[field]}
        onUploaded={(file) => set({ [field]: file })}
      />
      {draft[field] === null ? null : (
        <LinkButton
          onClick={() => {
            set({ [field]: null });
            // The pressed button disappears.
            place.current?.querySelector("input")?.focus();
          }}
        >{`Remove ${what.replace("a ", "the ")}`}</LinkButton>
      )}
    </fieldset>
  );
}

const ORIENTATION_LABELS = {
  all: "All screens",
  portrait: "Portrait screens",
  landscape: "Landscape screens",
} as const satisfies Record<(typeof VIDEO_ORIENTATIONS)[number], string>;
const ORIENTATIONS = VIDEO_ORIENTATIONS.map((value) => ({ value, label: ORIENTATION_LABELS[value] }));

function VideoFields({ form }: { form: InhouseForm }) {
  const { draft, set, errors } = form;
  return (
    <div className={formClasses.stack}>
      <SelectField {...form.field("video_orientation")} label="Played on" options={ORIENTATIONS} />
      {draft.format === "reward" ? null : (
        <SelectField
          name="skip_timer"
          label="Skip"
          description="In rewarded places it is never skipped."
          options={SKIP_TIMERS.map((seconds) => ({ value: String(seconds), label: skipText(seconds) }))}
          value={String(draft.skip_timer)}
          error={errors["skip_timer"]}
          onChange={(value) => set({ skip_timer: SKIP_TIMERS.find((seconds) => String(seconds) === value) ?? 0 })}
        />
      )}
      <CheckboxField
        {...form.field("interstitial_waterfall")}
        label="Show the images in interstitials that nobody bought"
      />
    </div>
  );
}
