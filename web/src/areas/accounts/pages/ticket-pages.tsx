import { useParams } from "@tanstack/react-router";
import { useTicket } from "../api.ts";
import { DoorFrame } from "../doors/door-frame.tsx";
import { TICKET_TITLES, TicketDoor } from "../ticket/ticket-door.tsx";

function TicketFrame({ pass }: { pass: boolean }) {
  const { ticket = "" } = useParams({ strict: false });
  const type = useTicket(ticket).data?.type ?? null;
  return (
    <DoorFrame title={type === null ? "Your link" : TICKET_TITLES[type]}>
      <TicketDoor key={ticket} ticket={ticket} pass={pass} />
    </DoorFrame>
  );
}

export const TicketPage = () => <TicketFrame pass={false} />;
export const TicketPassPage = () => <TicketFrame pass />;
