import { api, ApiError, ensureOk } from "#site/api.ts";
import { toast } from "./toast.tsx";

/** Does it once the user has a recent proof of who they are, for which the shell's dialog asks. */
export const onceConfirmed = (act: () => void) =>
  ensureOk(api.session.proof.$get()).then(act, (error: unknown) =>
    toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again."),
  );
