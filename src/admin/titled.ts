/** A `meta` export for an admin page. */
export const titled = (title: string) => () => [{ title: `${title} · Admin` }];
