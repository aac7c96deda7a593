import { useEffect, useRef, useState } from "react";
import { Modal } from "../../../ui/modal/modal.tsx";
import { type Door, DOOR_TITLES } from "./door.ts";
import { DOOR_CONTENT } from "./door-content.tsx";
import { DoorPlace } from "./door-link.tsx";

/** A door as a dialog. Another door takes its place in the same dialog, and the focus goes to its first field. */
export function DoorDialog({ door, onClose }: { door: Door | null; onClose: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<Door | null>(null);
  useEffect(() => {
    // The dialog itself places the focus when it opens.
    if (door !== null && before.current !== null && before.current !== door) {
      content.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    }
    before.current = door;
  }, [door]);
  // A closing dialog keeps its door while it fades.
  const [shown, setShown] = useState(door);
  if (door !== null && door !== shown) setShown(door);
  const Content = shown && DOOR_CONTENT[shown];
  return (
    <Modal opened={door !== null} onClose={onClose} title={shown ? DOOR_TITLES[shown] : ""}>
      <DoorPlace value="dialog">
        <div ref={content} key={shown}>
          {Content ? <Content /> : null}
        </div>
      </DoorPlace>
    </Modal>
  );
}
