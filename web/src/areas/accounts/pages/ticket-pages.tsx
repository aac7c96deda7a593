import { useParams } from "@tanstack/react-router";
import { useTicket } from "../ticket/api.ts";
import { AuthFrame } from "../auth/auth-frame.tsx";
import { TICKET_TITLES, TicketForm } from "../ticket/ticket-form.tsx";

function TicketFrame({ pass }: { pass: boolean }) {
  const { ticket = "" } = useParams({ strict: false });
  const type = useTicket(ticket).data?.type ?? null;
  return (
    <AuthFrame title={type === null ? "Your link" : TICKET_TITLES[type]}>
      <TicketForm key={ticket} ticket={ticket} pass={pass} />
    </AuthFrame>
  );
}

export const TicketPage = () => <TicketFrame pass={false} />;
export const TicketPassPage = () => <TicketFrame pass />;
