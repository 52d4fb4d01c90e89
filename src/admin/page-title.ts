/** A `meta` export for an admin page. */
export const pageTitle = (title: string) => () => [{ title: `${title} · Admin` }];
