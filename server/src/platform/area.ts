import type { FastifyInstance } from "fastify";

/** One area of the product as `app.ts` joins it: its routes, and what runs beside them. */
export interface Area {
  name: string;
  routes(app: FastifyInstance): void;
  start?(): Promise<void>;
  /** Ends what `start` began; called once no request is running any more. */
  stop?(): Promise<void>;
}
