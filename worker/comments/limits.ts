/**
 * Maximum user-perceived characters per field, for the form and the contract. This file imports nothing, to keep pages
 * small.
 */
export const commentLimits = { name: 120, text: 3000 };

/** The messages of the form and the API. */
export const commentAnswers = {
  success: "Thank you. Now check your email, and open the link to confirm your comment.",
  failure: "Your comment wasn’t sent. Please try again.",
};
