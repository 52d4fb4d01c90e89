import { isRouteErrorResponse } from "react-router";
import type { ShellData } from "./guard.ts";

/** The guard's 403. It carries what the shell shows, since after a middleware's error no loader runs. */
export type ForbiddenTab = { message: string; shell: ShellData };

/** The guard's 403, if that is what an error boundary was given. */
export const forbiddenTab = (error: unknown) =>
  isRouteErrorResponse(error) && error.status === 403 && isForbiddenTab(error.data) ? error.data : undefined;

const isForbiddenTab = (data: unknown): data is ForbiddenTab =>
  typeof data === "object" && data !== null && "shell" in data && "message" in data;
