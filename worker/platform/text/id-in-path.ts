/** The id that a path names; 0, which no row has, for another spelling of it such as 01, which would be cached once more. */
export const idInPath = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);
