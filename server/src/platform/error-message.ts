/** The message of whatever was thrown, for a sentence that goes on. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
