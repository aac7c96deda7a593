import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { MoonIcon, ScreenIcon, SunIcon } from "../../ui/icons.tsx";
import classes from "./links.module.css";

const SCHEMES: readonly { id: MantineColorScheme; label: string; icon: ReactNode }[] = [
  { id: "auto", label: "As the system", icon: <ScreenIcon /> },
  { id: "light", label: "Light", icon: <SunIcon /> },
  { id: "dark", label: "Dark", icon: <MoonIcon /> },
];

/** Light, dark, or the system's colour scheme. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.schemes} role="group" aria-label="Colours">
      {SCHEMES.map(({ id, label, icon }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === colorScheme}
          aria-label={label}
          title={label}
          onClick={() => setColorScheme(id)}
        >
          {icon}
        </button>
      ))}
    </div>
  );
}
