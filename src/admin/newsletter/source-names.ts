const names = new Map([
  ["site", "This site"],
  ["inline", "Form on a page"],
  ["conversations", "Conversations page"],
  ["footer", "Footer"],
  ["popup", "Pop-up"],
  ["verify-email", "Verification page"],
  ["by-hand", "Added by hand"],
]);

/** Where a subscriber signed up: one of this site's forms, or the owner's word for an import. */
export const sourceName = (source: string) => names.get(source) ?? source;
