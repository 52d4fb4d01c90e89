/** The server's message, if the error has a status. Any other error is the connection's. */
export const errorMessage = (error: unknown) =>
  error instanceof Error && "status" in error ? error.message : "Check your connection and try again.";
