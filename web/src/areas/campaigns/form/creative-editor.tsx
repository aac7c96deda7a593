import { Button } from "@mantine/core";
import { BANNER_SIZES, type CampaignFormat, CreativeFields, SKIP_TIMERS, type UploadedFile } from "@millrace/contract";
import { useState } from "react";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import classes from "./creatives.module.css";
import { type CreativeDraft, creativeBodyOf } from "./draft.ts";
import { MOST_TYPED } from "./typed.ts";
import { Dropzone } from "./dropzone.tsx";
import formClasses from "./form.module.css";
import { type Size, sizeText, skipText } from "./upload-rules.ts";

interface CreativeEditorProps {
  /** Null for a new creative. */
  creative: CreativeDraft | null;
  /** What a new creative starts with. */
  start: { format: CampaignFormat; store_id: string };
  banners: readonly Size[];
  /** Names by code. */
  countries: Readonly<Record<string, string>>;
  onSave: (creative: CreativeDraft) => void;
  onCancel: () => void;
}

type Entered = Omit<CreativeDraft, "image"> & { image: UploadedFile | null };

const emptyCreative = ({ format, store_id }: CreativeEditorProps["start"]): Entered => ({
  c_id: null,
  format,
  store_id,
  country: "",
  cta: "",
  title: "",
  skip_timer: format === "video" ? 5 : 0,
  click_url: "",
  tracking_url: "",
  image: null,
  status: null,
  reason: null,
});

/** The fields of one creative, checked before it joins the campaign. */
export function CreativeEditor({ creative, start, banners, countries, onSave, onCancel }: CreativeEditorProps) {
  const [entered, setEntered] = useState<Entered>(() => creative ?? emptyCreative(start));
  const [size, setSize] = useState(() => bannerOf(creative?.image, banners));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const set = (part: Partial<Entered>) => {
    setEntered((before) => ({ ...before, ...part }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(part, fieldOf(name)))),
    );
  };
  const { image, format } = entered;
  const save = () => {
    const wrong = faultsOf(entered);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || image === null) return;
    onSave(saved({ ...entered, image }, creative));
  };
  const field = (name: "store_id" | "country" | "cta" | "title" | "click_url" | "tracking_url") => ({
    // Other than the names of the campaign's fields.
    name: `creative-${name}`,
    value: entered[name],
    error: errors[name],
    onChange: (value: string) => set({ [name]: value }),
    onKeyDown: (event: { key: string; preventDefault: () => void }) => {
      // Enter saves the creative, and does not send the campaign.
      if (event.key !== "Enter") return;
      event.preventDefault();
      save();
    },
  });
  return (
    <div className={classes.editor} role="group" aria-label={creative === null ? "New creative" : "Edit creative"}>
      <div className={classes.place}>
        {format === "banner" ? (
          <SelectField
            name="creative-size"
            label="Banner size"
            options={banners.map((banner) => ({ value: sizeText(banner), label: sizeText(banner) }))}
            value={sizeText(size)}
            error={undefined}
            onChange={(value) => {
              setSize(banners.find((banner) => sizeText(banner) === value) ?? size);
              // An image of another size does not fit.
              set({ image: null });
            }}
          />
        ) : null}
        <Dropzone
          // A running upload was for another size.
          key={sizeText(size)}
          format={format}
          banner={size}
          file={image}
          error={errors["image_url"]}
          onUploaded={(uploaded) => set({ image: uploaded })}
        />
      </div>
      <div className={formClasses.stack}>
        <TextField
          {...field("click_url")}
          label="Click URL"
          description="The page that a click opens, at most 100 characters. Longer tracking links go under Measurement."
          placeholder="https://"
          inputMode="url"
          maxLength={MOST_TYPED}
          autoComplete="off"
          takesFocus
        />
        <div className={formClasses.pair}>
          <TextField {...field("store_id")} label="Store id" maxLength={100} autoCapitalize="none" autoComplete="off" />
          <SelectField
            {...field("country")}
            label="Store country (optional)"
            placeholder="Any country"
            options={Object.entries(countries).map(([value, label]) => ({ value, label }))}
          />
        </div>
        <TextField
          {...field("cta")}
          label="Button text (optional)"
          placeholder="Install"
          maxLength={25}
          autoComplete="off"
        />
        {format === "image" ? (
          <TextField
            {...field("title")}
            label="Headline (optional)"
            description="With one, the image is also sold as a native ad, which an app shows among its own content."
            maxLength={50}
            autoComplete="off"
          />
        ) : null}
        {format === "video" ? (
          <SelectField
            name="creative-skip_timer"
            label="Skip"
            options={SKIP_TIMERS.map((seconds) => ({ value: String(seconds), label: skipText(seconds) }))}
            value={String(entered.skip_timer)}
            error={errors["skip_timer"]}
            onChange={(value) => set({ skip_timer: SKIP_TIMERS.find((seconds) => String(seconds) === value) ?? 0 })}
          />
        ) : null}
        <TextField
          {...field("tracking_url")}
          label="Tracking URL (optional)"
          description="Fetched by the platform with each counted impression, so it must be reachable from the internet."
          placeholder="https://"
          inputMode="url"
          maxLength={MOST_TYPED}
          autoComplete="off"
        />
        <div className={classes.buttons}>
          <Button onClick={save}>{creative === null ? "Add" : "Save"}</Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </div>
  );
}

/** The address of the image is what the call checks of it. */
const fieldOf = (name: string): string => (name === "image_url" ? "image" : name);

/** The banner's size that an image has, or the first one. */
const bannerOf = (image: Size | undefined, banners: readonly Size[]): Size =>
  banners.find(({ width, height }) => width === image?.width && height === image.height) ??
  banners[0] ??
  BANNER_SIZES[0];

function faultsOf(entered: Entered): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, message } of CreativeFields.safeParse(creativeBodyOf(entered)).error?.issues ?? [])
    faults[String(path[0])] ??= message;
  return faults;
}

/** A changed creative of a saved campaign is edited: it waits for a new review. */
function saved(entered: CreativeDraft, before: CreativeDraft | null): CreativeDraft {
  const isChanged = JSON.stringify(entered) !== JSON.stringify(before);
  return isChanged && entered.c_id !== null ? { ...entered, status: "edited", reason: null } : entered;
}
