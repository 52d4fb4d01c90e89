/** Characters, as people see them, that a field may have. The form and the contract read them here; nothing is imported. */
export const commentLimits = { name: 120, text: 3000 };

/** What the form and the API say. */
export const commentAnswers = {
  success: "Thank you. Now check your email, and open the link to confirm your comment.",
  failure: "Your comment wasn’t sent. Please try again.",
};
