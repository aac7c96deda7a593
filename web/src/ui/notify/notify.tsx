import {
  type ReactNode,
  Suspense,
  createContext,
  lazy,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from "react";
import { AlertIcon, CheckIcon, CrossIcon } from "../icons.tsx";
import classes from "./notify.module.css";

const Modal = lazy(async () => ({ default: (await import("../modal/modal.tsx")).Modal }));

const SHOWN_MS = 5000;

interface Line {
  message: string;
  /** Successes disappear by themselves; failures stay until they are closed. */
  tone: "done" | "failed";
}

interface Announced {
  title: string;
  body: ReactNode;
}

interface Notify {
  /** Shows a line in the corner. */
  tell: (message: string, tone?: Line["tone"]) => void;
  /** Shows a dialog, for messages that must be read. */
  announce: (announced: Announced) => void;
  /** Whether such a dialog is open. */
  isAnnouncing: boolean;
}

const Context = createContext<Notify>({ tell: () => {}, announce: () => {}, isAnnouncing: false });

/** Shows a notification from anywhere in the application. */
export const useNotify = (): Notify => useContext(Context);

/** Renders all notifications. */
export function NotifyProvider({ children }: { children: ReactNode }) {
  const [lines, setLines] = useState<readonly (Line & { id: number })[]>([]);
  const [announced, setAnnounced] = useState<Announced | null>(null);
  const [open, setOpen] = useState(false);
  const count = useRef(0);
  const close = useCallback((id: number) => setLines((before) => before.filter((line) => line.id !== id)), []);
  const notify = useMemo<Notify>(
    () => ({
      tell: (message, tone = "done") => {
        const id = ++count.current;
        setLines((before) => [...before.filter((line) => line.message !== message), { id, message, tone }]);
        if (tone === "done") setTimeout(() => close(id), SHOWN_MS);
      },
      announce: (next) => {
        setAnnounced(next);
        setOpen(true);
      },
      isAnnouncing: open,
    }),
    [close, open],
  );
  return (
    <Context.Provider value={notify}>
      {children}
      <div className={classes.lines} role="status" aria-live="polite">
        {lines.map(({ id, message, tone }) => (
          <p key={id} className={classes.line} data-tone={tone}>
            {tone === "done" ? <CheckIcon /> : <AlertIcon />}
            <span>{message}</span>
            <button type="button" aria-label="Close" onClick={() => close(id)}>
              <CrossIcon />
            </button>
          </p>
        ))}
      </div>
      {announced === null ? null : (
        <Suspense>
          <Modal opened={open} onClose={() => setOpen(false)} title={announced.title} overlayCloses>
            {announced.body}
          </Modal>
        </Suspense>
      )}
    </Context.Provider>
  );
}
