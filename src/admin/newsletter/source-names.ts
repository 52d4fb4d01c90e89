const names = new Map([
  ["site", "This site"],
  ["inline", "Form on a page"],
  ["conversations", "Conversations page"],
  ["footer", "Footer"],
  ["popup", "Pop-up"],
  ["verify-email", "Verification page"],
  ["by-hand", "Added by hand"],
]);

/** The name of a source: one of this site's forms, or the owner's name for an import. */
export const sourceName = (source: string) => names.get(source) ?? source;
