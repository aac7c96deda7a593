import {
  BANNER_SIZES,
  type CampaignFormat,
  type UploadedFile,
  uploadCreative,
  type uploadInhouse,
} from "@millrace/contract";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { useUpload } from "../api.ts";
import classes from "./creatives.module.css";
import {
  acceptedFiles,
  misfitOf,
  playWarning,
  refusalsOf,
  type Size,
  sizeText,
  uploadHint,
  uploadKindOf,
  uploadText,
} from "./upload-rules.ts";

interface DropzoneProps {
  format: CampaignFormat;
  /** The size of a banner's place. */
  banner?: Size;
  file: UploadedFile | null;
  /** The error of a creative without a file. */
  error: string | undefined;
  /** What is uploaded, with its article: `a landscape image`. */
  what?: string;
  /** Replaces the call that takes the file. */
  call?: typeof uploadCreative | typeof uploadInhouse;
  onUploaded: (file: UploadedFile) => void;
}

/** Uploads one image or video: by the file picker, by keyboard, or by dropping it. Why a file is refused stands below. */
export function Dropzone(props: DropzoneProps) {
  const { format, banner = BANNER_SIZES[0], file: chosen, error, call = uploadCreative, onUploaded } = props;
  const kind = uploadKindOf(format);
  const { what: noun = kind === "image" ? "an image" : "a video" } = props;
  const id = useId();
  const upload = useUpload(call);
  const running = useRef<AbortController>(undefined);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (file: File | undefined) => {
    if (!file) return;
    running.current?.abort();
    const wrong = refusalsOf(file, kind);
    setRefusals(wrong);
    setSending(null);
    if (wrong.length > 0) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const onProgress = (share: number) => {
      if (!signal.aborted) setSending({ name: file.name, share });
    };
    onProgress(0);
    try {
      const uploaded = await upload.mutateAsync({ file, kind, onProgress, signal });
      if (signal.aborted) return;
      const misfit = misfitOf(uploaded, format, banner);
      if (misfit === null) onUploaded(uploaded);
      else setRefusals([`${file.name}: ${misfit}`]);
    } catch (failure) {
      if (!signal.aborted) setRefusals([`${file.name}: ${messageOf(failure)}`]);
    }
    if (!signal.aborted) setSending(null);
  };
  const drag = (event: DragEvent, isOver: boolean) => {
    event.preventDefault();
    setOver(isOver);
  };
  const messages = refusals.length > 0 ? refusals : error === undefined ? [] : [error];

  return (
    <div className={classes.upload}>
      <div
        className={classes.dropzone}
        data-over={over ? "" : undefined}
        data-wrong={messages.length > 0 ? "" : undefined}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          void send(event.dataTransfer.files[0]);
        }}
      >
        <input
          type="file"
          id={id}
          accept={acceptedFiles(kind)}
          aria-describedby={`${id}-hint ${id}-errors`}
          aria-invalid={messages.length > 0}
          onChange={({ currentTarget }) => {
            void send(currentTarget.files?.[0]);
            // The same file can be chosen again after it was refused.
            currentTarget.value = "";
          }}
        />
        {chosen?.video ? (
          <video src={chosen.url} aria-label="The uploaded creative" controls muted playsInline preload="metadata" />
        ) : chosen ? (
          <img src={chosen.url} alt="The uploaded creative" />
        ) : null}
        <label htmlFor={id}>
          {chosen ? `Choose ${noun.replace(/^an? /, "another ")}` : `Choose ${noun}, or drop it here`}
        </label>
        <small id={`${id}-hint`}>
          {chosen
            ? uploadText(chosen)
            : `${uploadHint(kind)}${format === "banner" ? `, ${sizeText(banner)} pixels` : ""}`}
        </small>
        {sending === null ? null : <progress value={sending.share} aria-label={`Uploading ${sending.name}`} />}
      </div>
      {chosen?.video ? <PlayWarning text={playWarning(chosen.video)} /> : null}
      <ul id={`${id}-errors`} className={classes.refusals} aria-live="polite">
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

const PlayWarning = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p className={classes.warning} role="status">
      {text}
    </p>
  );
