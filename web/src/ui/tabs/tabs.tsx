import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import classes from "./tabs.module.css";

export interface Tab<Id extends string> {
  id: Id;
  label: ReactNode;
  content: ReactNode;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  chosen: Id;
  onChoose: (id: Id) => void;
}

const STEPS = new Map<string, (at: number, count: number) => number>([
  ["ArrowRight", (at, count) => (at + 1) % count],
  ["ArrowLeft", (at, count) => (at - 1 + count) % count],
  ["Home", () => 0],
  ["End", (_, count) => count - 1],
]);

/** Tabs. Opened panels stay mounted, so that input and loaded frames are kept. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<readonly Id[]>([chosen]);
  if (!seen.includes(chosen)) setSeen([...seen, chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const next = STEPS.get(event.key)?.(at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    onChoose(tab.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };

  return (
    <>
      <div ref={list} className={classes.list} role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-${tab.id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            className={classes.tab}
            onClick={() => onChoose(tab.id)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          hidden={tab.id !== chosen}
        >
          {seen.includes(tab.id) ? tab.content : null}
        </div>
      ))}
    </>
  );
}
