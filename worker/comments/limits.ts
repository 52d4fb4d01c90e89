/** Characters, as people see them, that a field may have. The form and the contract read them here; nothing is imported. */
export const commentLimits = { name: 120, text: 3000 };
