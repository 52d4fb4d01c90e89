import { isRouteErrorResponse } from "react-router";

/**
 * The message of a loader's `data({ message }, …)`; undefined for any other answer. The platform's own error page comes
 * as a string of HTML.
 */
export const messageOfAnswer = (error: unknown) =>
  isRouteErrorResponse(error) && hasMessage(error.data) ? error.data.message : undefined;

const hasMessage = (data: unknown): data is { message: string } =>
  typeof data === "object" && data !== null && "message" in data && typeof data.message === "string";
