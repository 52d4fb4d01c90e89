import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Mail } from "#worker/mail/message.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";
import { outbox } from "#worker/platform/table.ts";
import { jobContext, SITE } from "./client.ts";
import { unique } from "./factories.ts";
import { jobs } from "./newsletter.ts";
import worker from "./worker.ts";

const { db } = jobContext();

export const anAddress = () => `sender-${unique()}@example.com`;

export const anApplication = (change: object = {}) => ({
  name: "Maren Oakleigh",
  email: anAddress(),
  linkedinProfile: "https://www.linkedin.com/in/maren-oakleigh",
  topic: "Rents in country towns",
  position: "- They rise faster than in cities.\n- Nobody counts them.",
  consent: true,
  ...change,
});

export const aMessage = (change: object = {}) => ({
  name: "Maren Oakleigh",
  email: anAddress(),
  subject: "A correction",
  message: "The figure in your last essay is of 2024.",
  type: "media",
  ...change,
});

export const aBooking = (change: object = {}) => ({
  name: "Maren Oakleigh",
  email: anAddress(),
  organization: "The Housing Forum",
  eventName: "Forum 2027",
  eventDate: "2099-05-04",
  engagementType: "keynote",
  honorarium: "discuss",
  additionalInfo: "",
  ...change,
});

/** The three forms: their routes, pages, and valid input. */
export const forms = {
  application: { path: "/api/guest-applications", page: "/guest", valid: anApplication },
  message: { path: "/api/contact-messages", page: "/contact", valid: aMessage },
  booking: { path: "/api/speaking-bookings", page: "/speaking/book", valid: aBooking },
};

/** The fields of a form as a browser without scripts has them. */
export const typed = (kind: keyof typeof forms, fields: Record<string, unknown>) => ({
  ...fields,
  form: kind === "message" ? "contact" : kind,
  ...(fields["consent"] === true && { consent: "on" }),
});

/** Each request in its own household, so that the limits of one test are not those of the next. */
let households = 0;
export const household = () => `2001:db8:${(0xc000 + households++).toString(16)}::1`;

type Options = { headers?: Record<string, string>; bindings?: object };

async function send(path: string, body: string, { headers, bindings }: Options) {
  const execution = createExecutionContext();
  const request = new Request(`${SITE}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "CF-Connecting-IP": household(), ...headers },
    body,
  });
  const response = await worker.fetch(
    request as never,
    { ...env, JOBS: jobs, ...bindings } as unknown as Env,
    execution,
  );
  await waitOnExecutionContext(execution);
  return response;
}

export const postJson = (path: string, body: object, { headers, ...options }: Options = {}) =>
  send(path, JSON.stringify(body), {
    headers: { "Content-Type": "application/json", ...headers },
    ...options,
  });

/** As a browser without scripts posts it. */
export const postFields = (path: string, fields: object, { headers, ...options }: Options = {}) =>
  send(path, new URLSearchParams({ ...fields }).toString(), {
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
      ...headers,
    },
    ...options,
  });

/** The same of a form with its guard, three days after its page was rendered. */
export const postForm = (path: string, fields: object, options?: Options) =>
  postFields(path, { shownAt: String(Date.now() - 3 * 86_400_000), leaveEmpty: "", ...fields }, options);

export const errorOf = async (response: Response) => (await response.json<ErrorBody>()).error;

export const rowsOf = (email: string) =>
  db.select().from(enquiries).where(eq(enquiries.email, email.toLowerCase()));

/** Oldest first: those to the address, and those of the owner that name it. */
export async function mailsAbout(email: string) {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  const mails = rows.map(({ payload }) => payload as Mail);
  return {
    toSender: mails.filter(({ to }) => to === email),
    toOwner: mails.filter(({ replyTo }) => replyTo?.address === email),
  };
}
