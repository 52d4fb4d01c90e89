import { data } from "react-router";

/** An unknown address below /admin; the layout's guard has run before. */
export const loader = () => {
  throw data("There is nothing at this address.", { status: 404 });
};

export default function NotFound() {
  return null;
}
