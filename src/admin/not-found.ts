import { data } from "react-router";

/** An address below /admin that leads nowhere; the layout's guard has been passed. */
export const loader = () => {
  throw data("There is nothing at this address.", { status: 404 });
};

export default function NotFound() {
  return null;
}
