import { type ReactNode, createContext, useContext } from "react";
import { createPortal } from "react-dom";
import classes from "./page-title.module.css";
import { useWindowTitle } from "./use-window-title.ts";

const Slot = createContext<HTMLElement | null>(null);

/** The slot for the title in the header of the page. */
export const TitleSlotProvider = Slot.Provider;

interface PageTitleProps {
  /** The window's title, followed by the product's name. */
  text: string;
  /** The page's heading, if it is more than the same text. */
  children?: ReactNode;
}

/** Renders a page's title in the header and sets the window's title. */
export function PageTitle({ text, children }: PageTitleProps) {
  const slot = useContext(Slot);
  useWindowTitle(text);
  return slot ? createPortal(children ?? <PlainTitle text={text} />, slot) : null;
}

const PlainTitle = ({ text }: { text: string }) => (
  <h1 className={classes.title} tabIndex={-1}>
    {text}
  </h1>
);
