/** Whether React Router asks for a page's data by script, and not a browser for its document. */
export const isDataRequest = ({ url }: Request) => new URL(url).pathname.endsWith(".data");
