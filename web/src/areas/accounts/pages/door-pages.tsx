import { type Door, DOOR_TITLES } from "../doors/door.ts";
import { DOOR_CONTENT } from "../doors/door-content.tsx";
import { DoorFrame } from "../doors/door-frame.tsx";

function DoorPage({ door }: { door: Door }) {
  const Content = DOOR_CONTENT[door];
  return (
    <DoorFrame title={DOOR_TITLES[door]}>
      <Content />
    </DoorFrame>
  );
}

export const LoginPage = () => <DoorPage door="login" />;
export const SignUpPage = () => <DoorPage door="signup" />;
export const RecoveryPage = () => <DoorPage door="recovery" />;
