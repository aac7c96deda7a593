import type { FastifyInstance } from "fastify";

/** An area of the product as `app.ts` composes it: its routes and its background work. */
export interface Area {
  name: string;
  routes(app: FastifyInstance): void;
  start?(): Promise<void>;
  /** Stops what `start` began; called after the last request. */
  stop?(): Promise<void>;
}
