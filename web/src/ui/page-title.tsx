import { type ReactNode, createContext, useContext } from "react";
import { createPortal } from "react-dom";
import classes from "./page-title.module.css";
import { useWindowTitle } from "./use-window-title.ts";

const Slot = createContext<HTMLElement | null>(null);

/** The place in the frame of the page where its title stands. */
export const TitleSlotProvider = Slot.Provider;

interface PageTitleProps {
  /** The window's title; the name of the product follows it. */
  text: string;
  /** The page's heading, where it is more than the same words. */
  children?: ReactNode;
}

/** Puts a page's title into the frame around it and into the window's title. */
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
