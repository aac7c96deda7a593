import { Button } from "@mantine/core";
import { SOCIAL_LABELS, type SignUpRole, type SocialService } from "@millrace/contract";
import { useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { useSite } from "../../../shared/site.ts";
import { beginSocial } from "./api.ts";
import { useFinishSignIn } from "../use-finish-sign-in.ts";
import { useRedirectTo } from "./auth-link.tsx";
import classes from "./auth.module.css";

/** A button per configured identity provider; renders nothing without one. */
export function SocialButtons({ role }: { role?: SignUpRole | undefined }) {
  const offered = useSite().data?.social ?? [];
  const redirectTo = useRedirectTo();
  const { enterAndGo } = useFinishSignIn();
  const [pending, setPending] = useState<SocialService | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  if (offered.length === 0) return null;

  const begin = async (service: SocialService) => {
    setPending(service);
    setMessage(null);
    try {
      const reply = await beginSocial(service, { ...redirectTo, ...(role ? { role } : {}) });
      if (reply.user_id === undefined) location.assign(reply.redirect_to);
      else enterAndGo(reply.redirect_to);
    } catch (failure) {
      setMessage(messageOf(failure));
      setPending(null);
    }
  };
  return (
    <div className={classes.social}>
      <p className={classes.or}>or</p>
      {offered.map((service) => (
        <Button
          key={service}
          variant="default"
          fullWidth
          loading={pending === service}
          disabled={pending !== null}
          onClick={() => void begin(service)}
        >
          {`Continue with ${SOCIAL_LABELS[service]}`}
        </Button>
      ))}
      <p className={classes.wrong} role="alert">
        {message}
      </p>
    </div>
  );
}
