/**
 * Maximum user-perceived characters per field, for the forms and the contracts. This file imports no code, to keep
 * pages small.
 */
export const enquiryLimits = {
  name: 120,
  linkedinProfile: 300,
  topic: 200,
  position: 3000,
  subject: 200,
  message: 5000,
  organization: 160,
  eventName: 200,
  additionalInfo: 5000,
};

export const engagementTypes = ["keynote", "panel", "workshop", "fireside", "moderator", "other"] as const;
export type EngagementType = (typeof engagementTypes)[number];

export const honoraria = ["paid", "expenses-only", "pro-bono", "discuss"] as const;
export type Honorarium = (typeof honoraria)[number];

/** The labels of choices in forms, emails and the admin area. */
export const messageTypeNames = {
  general: "General enquiry",
  speaking: "Speaking",
  partnerships: "Partnerships",
  media: "Media",
};

export const engagementTypeNames: Record<EngagementType, string> = {
  keynote: "Keynote",
  panel: "Panel",
  workshop: "Workshop",
  fireside: "Fireside chat",
  moderator: "Moderator",
  other: "Other",
};

export const honorariumNames: Record<Honorarium, string> = {
  paid: "Paid",
  "expenses-only": "Expenses only",
  "pro-bono": "Pro bono",
  discuss: "To be discussed",
};

/** The messages of the forms and the API after success and failure. */
export const enquiryAnswers = {
  application: {
    success: "Thanks for applying. We'll review and contact you if selected.",
    failure: "Failed to submit application. Please try again.",
  },
  message: {
    success: "Message sent successfully! I'll get back to you soon.",
    failure: "Failed to send message. Please try again.",
  },
  booking: {
    success: "Request Submitted!",
    failure: "There was an error submitting your request. Please try again.",
  },
};

/** The message if a form could not be checked for robots. */
export const CONFIRM_BY_MAIL = "One more step: open the link in the email we sent you, and confirm.";
