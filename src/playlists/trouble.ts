/** What the server said of a refusal; its words come with a status. Anything else is the connection's fault. */
export const troubleOf = (error: unknown) =>
  error instanceof Error && "status" in error ? error.message : "Check your connection and try again.";
