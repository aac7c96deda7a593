import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";

interface WorkButtonProps extends Pick<ButtonProps, "color" | "size" | "variant"> {
  type?: "submit" | "button";
  working: boolean;
  /** Disables the action but keeps the focus, so that keyboard users keep their place. */
  idle?: boolean;
  onClick?: () => void;
  children: ReactNode;
}

/**
 * A button for work that takes a moment. It is disabled meanwhile, which takes the focus away, and gets the focus back
 * afterwards.
 */
export function WorkButton({ type = "button", working, idle = false, ...button }: WorkButtonProps) {
  const element = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (working) hadFocus.current = document.activeElement === element.current;
    else if (hadFocus.current && isNowhere(document.activeElement)) element.current?.focus();
  }, [working]);
  return (
    <Button
      {...button}
      ref={element}
      type={type}
      loading={working}
      {...(idle && !working && { "data-disabled": true, "aria-disabled": true })}
    />
  );
}

const isNowhere = (focused: Element | null) => focused === null || focused === document.body;
