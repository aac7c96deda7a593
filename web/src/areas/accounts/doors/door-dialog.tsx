import { useEffect, useRef } from "react";
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
  const Content = door && DOOR_CONTENT[door];
  return (
    <Modal opened={door !== null} onClose={onClose} title={door ? DOOR_TITLES[door] : ""}>
      <DoorPlace value="dialog">
        <div ref={content} key={door}>
          {Content ? <Content /> : null}
        </div>
      </DoorPlace>
    </Modal>
  );
}
