/** The title of an admin page's document. */
export const documentTitle = (title: string) => `${title} · Admin`;

/** A `meta` export for an admin page. */
export const pageTitle = (title: string) => () => [{ title: documentTitle(title) }];
