import { AppError } from "#worker/platform/errors.ts";

/** Why enquiries in this box cannot be answered; null if they can. */
export function notAnswerable(box: string | null) {
  if (box === "spam") return new AppError("conflict", "This is marked as spam. Move it out of spam first.");
  if (box === "unconfirmed") {
    return new AppError("conflict", "Its sender hasn’t confirmed this address yet.");
  }
  return null;
}
