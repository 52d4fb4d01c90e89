/** __Host-: only over HTTPS or on this machine, only for this host, for every path. */
export const SESSION_COOKIE = "__Host-session";

/** Whether a request brings one, be it one that opens anything or not. */
export const hasSession = ({ headers }: Request) =>
  headers.get("Cookie")?.includes(`${SESSION_COOKIE}=`) ?? false;
