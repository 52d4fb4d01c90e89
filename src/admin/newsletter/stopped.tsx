import type { ReactNode } from "react";

/** Why a letter was not sent as scheduled, or has paused. */
export const Stopped = ({ children }: { children: ReactNode }) => (
  <p className="border-l-4 border-danger pl-3 text-sm font-normal wrap-anywhere">{children}</p>
);
