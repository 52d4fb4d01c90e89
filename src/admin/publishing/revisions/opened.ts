import { data } from "react-router";

/** What the address of a versions page asks for. */
export function versionsQuery(params: URLSearchParams) {
  const opened = params.get("version");
  if (opened !== null && !/^[1-9]\d{0,14}$/.test(opened))
    throw data("There’s no such version.", { status: 404 });
  return { before: params.get("before") ?? undefined, opened: opened === null ? null : Number(opened) };
}
