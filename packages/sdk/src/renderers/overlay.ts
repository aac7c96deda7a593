export interface Overlay {
  /** The ad's element goes in here. */
  dialog: HTMLDialogElement;
  /** Shows the dialog. The user can close it after a number of seconds, which it counts down; `null` leaves that to `count`. */
  open(closableAfterSeconds: number | null): void;
  /** Sets the seconds until the user can close it; `null` hides the button until then. */
  count(left: number | null): void;
  /** What the button says from the next count on. */
  relabel(to: "Close" | "Skip"): void;
  /** Closes it if the user may. */
  tryClose(): void;
  /** Closes it, or removes it if it was never opened. */
  remove(): void;
}

/**
 * A modal dialog: the browser traps focus inside, makes the app behind it inert, and restores focus on close. It is invisible
 * until it is opened, so that nobody sees an empty, locked screen. A television's remote control moves the focus like a
 * keyboard, and its back key closes the dialog like Escape.
 */
export function overlay(onClosed: () => void, label: "Close" | "Skip" = "Close"): Overlay {
  let verb = label;
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", "Advertisement");
  Object.assign(dialog.style, {
    position: "fixed",
    inset: "0",
    width: "100vw",
    height: "100vh",
    maxWidth: "100vw",
    maxHeight: "100vh",
    margin: "0",
    padding: "0",
    border: "0",
    background: "#0b1416",
    display: "grid",
    placeItems: "center",
    overflow: "hidden",
    visibility: "hidden",
  });

  const button = document.createElement("button");
  button.type = "button";
  Object.assign(button.style, {
    position: "absolute",
    top: "max(12px, env(safe-area-inset-top))",
    right: "12px",
    minWidth: "44px",
    minHeight: "44px",
    padding: "0 14px",
    border: "0",
    borderRadius: "22px",
    background: "rgba(0, 0, 0, 0.75)",
    color: "#fff",
    font: "600 15px system-ui, sans-serif",
    zIndex: "2",
  });

  let secondsLeft: number | null = null;
  let countdown: ReturnType<typeof setInterval> | undefined;
  const isLocked = () => secondsLeft === null || secondsLeft > 0;
  const count = (seconds: number | null) => {
    secondsLeft = seconds === null ? null : Math.max(0, Math.ceil(seconds));
    button.hidden = secondsLeft === null;
    button.textContent = isLocked() ? `${verb} in ${secondsLeft}` : verb === "Skip" ? "Skip" : "✕";
    button.setAttribute("aria-label", isLocked() ? `${verb} ad, possible in ${secondsLeft} seconds` : `${verb} ad`);
    // Not `disabled`, which would remove keyboard focus.
    button.setAttribute("aria-disabled", String(isLocked()));
    button.style.cursor = isLocked() ? "default" : "pointer";
    if (!isLocked()) clearInterval(countdown);
  };
  const tryClose = () => {
    if (!isLocked()) dialog.close();
  };
  const remove = () => {
    removals.disconnect();
    clearInterval(countdown);
    dialog.remove();
  };
  const closed = () => {
    remove();
    onClosed();
  };
  // A page that replaces its content takes the dialog along, which hears nothing of it.
  const removals = new MutationObserver(() => {
    if (!dialog.isConnected) closed();
  });

  button.addEventListener("click", tryClose);
  dialog.addEventListener("cancel", (event) => {
    if (isLocked()) event.preventDefault();
  });
  // Browsers close a dialog at the second Escape, whatever `cancel` says.
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isLocked()) event.preventDefault();
  });
  dialog.addEventListener("close", closed);
  document.body.append(dialog);
  removals.observe(document, { childList: true, subtree: true });

  return {
    dialog,
    count,
    relabel(to) {
      verb = to;
    },
    tryClose,
    remove,
    open(closableAfterSeconds) {
      count(closableAfterSeconds);
      // Behind the ad's own elements, as the focus goes from the ad to the button.
      dialog.append(button);
      dialog.style.visibility = "";
      dialog.showModal();
      button.focus();
      if (closableAfterSeconds !== null && isLocked())
        countdown = setInterval(() => count((secondsLeft ?? 0) - 1), 1000);
    },
  };
}
