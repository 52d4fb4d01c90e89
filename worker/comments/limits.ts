/** Characters, as people see them, that a field may have. The form and the contract read them here; nothing is imported. */
export const commentLimits = { name: 120, text: 3000 };

/** What the form and the API say. */
export const commentAnswers = {
  success: "Thank you. Check your email: your comment is passed on once you have confirmed it there.",
  failure: "Your comment was not sent. Please try again.",
};
