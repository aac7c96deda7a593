import { type ReactNode, createContext, useContext } from "react";
import { createPortal } from "react-dom";
import { useWindowTitle } from "./use-window-title.ts";

const Slot = createContext<HTMLElement | null>(null);

/** The place in the frame of the page where its title stands. */
export const TitleSlotProvider = Slot.Provider;

interface PageTitleProps {
  /** The window's title; the name of the product follows it. */
  text: string;
  children: ReactNode;
}

/** Puts a page's title into the frame around it and into the window's title. */
export function PageTitle({ text, children }: PageTitleProps) {
  const slot = useContext(Slot);
  useWindowTitle(text);
  return slot ? createPortal(children, slot) : null;
}
