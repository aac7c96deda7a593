import { Button } from "@mantine/core";
import classes from "./states.module.css";
import { useErrorWords } from "./error-words.tsx";

interface BlockErrorProps {
  error: unknown;
  retrying: boolean;
  onRetry: () => void;
  /** What the button says, where it is not the usual. */
  retry?: string | undefined;
}

/** A block that could not be loaded: the sentence, its cause in it, and the way to try again. */
export function BlockError({ error, retrying, onRetry, retry }: BlockErrorProps) {
  const words = useErrorWords();
  return (
    <div className={classes.error} role="alert">
      <p>{words.sentence(error)}</p>
      <Button variant="default" size="xs" loading={retrying} onClick={onRetry}>
        {retry ?? words.retry}
      </Button>
    </div>
  );
}
