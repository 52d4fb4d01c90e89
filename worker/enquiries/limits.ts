/** Characters, as people see them, that a field may have. The forms and the contracts read them here; nothing is imported. */
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
