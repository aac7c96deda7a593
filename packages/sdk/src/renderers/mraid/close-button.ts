import { CLOSE_AREA } from "./resized-rect.ts";

/**
 * The close button of an expanded or resized ad, at its top right, which every such ad has (MRAID 3.0, "Close indicator").
 * While it is there, Escape does the same.
 */
export function closeButton(into: HTMLElement, onClose: () => void) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "✕";
  button.setAttribute("aria-label", "Close ad");
  Object.assign(button.style, {
    position: "absolute",
    top: "0",
    right: "0",
    width: `${CLOSE_AREA}px`,
    height: `${CLOSE_AREA}px`,
    border: "0",
    borderRadius: "25px",
    background: "rgba(0, 0, 0, 0.75)",
    color: "#fff",
    font: "600 18px system-ui, sans-serif",
    cursor: "pointer",
  });
  let focused: Element | null = null;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  button.addEventListener("click", onClose);

  return {
    /** `takesFocus` for an ad that covers the screen. */
    show(takesFocus: boolean): void {
      if (!button.isConnected) {
        into.append(button);
        document.addEventListener("keydown", onKey);
      }
      if (!takesFocus) return;
      focused = document.activeElement;
      button.focus();
    },
    hide(): void {
      document.removeEventListener("keydown", onKey);
      button.remove();
      if (focused instanceof HTMLElement) focused.focus();
      focused = null;
    },
  };
}
