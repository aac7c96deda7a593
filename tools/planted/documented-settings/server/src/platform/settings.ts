const Environment = z.object({
  PORT: z.coerce.number(),
  /** Not in the table. */
  HOST: z.string(),
});
