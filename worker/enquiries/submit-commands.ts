import { NewApplication, NewBooking, NewMessage, type Submitted } from "#worker/enquiries/contract.ts";
import { record, type Check } from "#worker/enquiries/record-enquiry.ts";
import type { Context } from "#worker/platform/context.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { readSite } from "#worker/settings/queries.ts";

const CHECKED: Check = { isChecked: true, doubt: "" };

/**
 * Submits an application to be a guest.
 * @throws `not_found` while applications are switched off; `invalid`; `too_many`
 */
export async function submitApplication(
  ctx: Context,
  input: NewApplication,
  check = CHECKED,
): Promise<Submitted> {
  const site = await readSite(ctx);
  if (!site.features.guestSubmissions) throw new AppError("not_found", "Applications are closed.");
  const { name, email, consent: _, ...fields } = parseInput(NewApplication, input);
  return record(ctx, site, { kind: "application", name, email, title: fields.topic, fields }, check);
}

/** @throws `invalid`; `too_many` */
export async function submitMessage(ctx: Context, input: NewMessage, check = CHECKED): Promise<Submitted> {
  const { name, email, ...fields } = parseInput(NewMessage, input);
  const site = await readSite(ctx);
  return record(ctx, site, { kind: "message", name, email, title: fields.subject, fields }, check);
}

/**
 * Submits a request for a speaking engagement. Its date must be today, in the site's time zone, or later.
 * @throws `invalid`; `too_many`
 */
export async function submitBooking(ctx: Context, input: NewBooking, check = CHECKED): Promise<Submitted> {
  const { name, email, ...fields } = parseInput(NewBooking, input);
  const site = await readSite(ctx);
  if (fields.eventDate !== "" && fields.eventDate < dayIn(site.timeZone, ctx.now)) {
    throw new AppError("invalid", "This date is in the past.", { field: "eventDate" });
  }
  return record(ctx, site, { kind: "booking", name, email, title: fields.eventName, fields }, check);
}
