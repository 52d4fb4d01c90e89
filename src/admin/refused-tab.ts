import { isRouteErrorResponse } from "react-router";
import type { FrameData } from "./guard.ts";

/** What the guard answers. It carries the frame: refused by a middleware, a page gets nothing from any loader. */
export type RefusedTab = { message: string; frame: FrameData };

/** The guard's refusal, if that is what an error boundary was given. */
export const refusedTab = (error: unknown) =>
  isRouteErrorResponse(error) && error.status === 403 && isRefusal(error.data) ? error.data : undefined;

const isRefusal = (data: unknown): data is RefusedTab =>
  typeof data === "object" && data !== null && "frame" in data && "message" in data;
