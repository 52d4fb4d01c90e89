import { data } from "react-router";

/** What a save answers that was refused: as a 422, so that no loader runs again and the form stays as it is. */
export const refused = <T>(result: T) => data(result, { status: 422 });

/** Said beside a form, which stays as it is. */
export const SESSION_ENDED =
  "Your session has ended. Sign in in another tab, then save again: nothing here is lost.";
