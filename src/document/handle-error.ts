import { isRouteErrorResponse, type HandleErrorFunction } from "react-router";
import { logError } from "#worker/platform/log.ts";

/** What a loader or a render throws. React Router's own handler prints a failed statement with its parameters. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  // An address that is no route is an error response of the router's, and no fault.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  logError(`page: ${request.method} failed`, error);
};
