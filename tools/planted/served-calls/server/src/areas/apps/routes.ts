// serve(app, deleteApp, …) in a comment serves nothing.
export function routes(app: FastifyInstance): void {
  serve(app, listApps, async () => []);
  serve(app, listApps, async () => []);
  serve(app, addApp, async () => ({}));
  serve(app, somethingElse, async () => ({}));
  app.get("/secret", async () => "open to everybody");
}
