import { addApp, deleteApp, instructionFrame, muteApp, renameApp } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import { addApp as add } from "./add-app/add-app.ts";
import type { AddDeps } from "./add-app/add-app.ts";
import type { AppsDeps } from "./deps.ts";
import { deleteApp as remove } from "./edit-app/delete-app.ts";
import { muteApp as mute } from "./edit-app/mute-app.ts";
import { renameApp as rename } from "./edit-app/rename-app.ts";
import { sendInstructions } from "./instructions/send-instructions.ts";

export function appEditingRoutes(app: FastifyInstance, deps: AppsDeps & Pick<AddDeps, "lookups" | "throttle">): void {
  serve(app, addApp, ({ body, caller, request }) => add(deps, { caller, request }, body));
  serve(app, renameApp, ({ params, body, caller, request }) => rename(deps, { caller, request }, params.id, body));
  serve(app, muteApp, ({ params, body, caller, request }) =>
    mute(deps, { caller, request }, { uuid: params.id, muted: body.mute === "on" }),
  );
  serve(app, deleteApp, ({ params, caller, request }) => remove(deps, { caller, request }, params.id));
  serve(app, instructionFrame, ({ params, caller, reply }) =>
    sendInstructions(deps, caller.accountId, params.id, reply),
  );
}
