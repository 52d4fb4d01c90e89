import { confirmEnquiry } from "#worker/enquiries/confirm-commands.ts";
import { ENQUIRY_CONFIRMED, type ConfirmEnquiryInput } from "#worker/enquiries/contract.ts";
import { CONFIRM_BY_MAIL, enquiryAnswers } from "#worker/enquiries/limits.ts";
import { submitApplication, submitBooking, submitMessage } from "#worker/enquiries/submit-commands.ts";
import {
  answerForms,
  limitBody,
  linkPage,
  MAX_FORM_BODY,
  publicForm,
  readFields,
} from "#worker/platform/http/forms.ts";
import { router } from "#worker/platform/http/router.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";

const enquiry = { confirm: CONFIRM_BY_MAIL, asksTurnstile: true, maxBody: MAX_FORM_BODY };

/** The visitors' forms, and the link that confirms an enquiry without a robot check. */
export const enquiryForms = router()
  .route(
    "/guest-applications",
    publicForm({
      ...enquiry,
      name: "guest-applications",
      page: "/guest",
      thanks: enquiryAnswers.application.success,
      take: submitApplication,
    }),
  )
  .route(
    "/contact-messages",
    publicForm({
      ...enquiry,
      name: "contact-messages",
      page: "/contact",
      thanks: enquiryAnswers.message.success,
      take: submitMessage,
    }),
  )
  .route(
    "/speaking-bookings",
    publicForm({
      ...enquiry,
      name: "speaking-bookings",
      page: "/speaking/book",
      thanks: enquiryAnswers.booking.success,
      take: submitBooking,
      sent: (taken) => `/speaking/book?requested=${taken?.isUnconfirmed ? "unconfirmed" : "yes"}`,
    }),
  )
  .post(
    "/enquiries/confirm",
    answerForms({ page: linkPage("/confirm-enquiry"), sent: "/confirm-enquiry?confirmed=1" }),
    limitBody,
    limitBurst("confirm-enquiry"),
    async (c) => {
      const { form: _, ...fields } = await readFields(c);
      await confirmEnquiry(c.var.ctx, fields as ConfirmEnquiryInput);
      return c.json({ success: true, message: ENQUIRY_CONFIRMED });
    },
  );

/** Paths below /api that accept HTML forms. */
export const enquiryFormPaths = [
  "/guest-applications",
  "/contact-messages",
  "/speaking-bookings",
  "/enquiries/confirm",
];
