import { AppError } from "#worker/platform/errors.ts";

/** Why nothing is answered that lies in this box; null where it may be. */
export function notAnswerable(box: string | null) {
  if (box === "spam") return new AppError("conflict", "This is marked as spam. Move it out of spam first.");
  if (box === "unconfirmed") {
    return new AppError("conflict", "Its sender hasn’t confirmed this address yet.");
  }
  return null;
}
