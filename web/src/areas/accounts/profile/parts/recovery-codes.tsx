import { Button } from "@mantine/core";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { DownloadIcon } from "../../../../ui/icons.tsx";
import classes from "./parts.module.css";

/** The recovery codes, to be saved before the authenticator is switched on. */
export function RecoveryCodes({ codes, email }: { codes: readonly string[]; email: string }) {
  const text = codes.join("\n");
  return (
    <>
      <div className={classes.codes}>
        <CopyText text={text} what="the recovery codes" />
      </div>
      <Button
        variant="default"
        size="xs"
        leftSection={<DownloadIcon />}
        onClick={() => download(`Recovery codes of ${email}, each good once:\n\n${text}\n`)}
      >
        Download codes
      </Button>
    </>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "recovery-codes.txt";
  link.click();
  // The browser has started the download by the next tick.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
