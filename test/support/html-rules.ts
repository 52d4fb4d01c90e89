import type { ConfigData } from "html-validate";

/** What HTML is held to: the standard, and what screen readers need. */
export const htmlRules: ConfigData = {
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // A label is for what has a role: an element that only could have one is read without it.
    "aria-label-misuse": ["error", { allowAnyNamable: false }],
  },
};
