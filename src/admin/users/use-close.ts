import { useLocation, useNavigate, useSearchParams } from "react-router";
import { listPath } from "./addresses.ts";

/** The history state of a link that opens a dialog: the entry before it is the list. */
export const FROM_LIST = { fromList: true };

/** Closes a dialog that has an address: goes back to the list, or replaces the address when it was opened directly. */
export function useClose() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { state } = useLocation();
  const cameFromList = (state as Partial<typeof FROM_LIST> | null)?.fromList === true;
  return () =>
    void (cameFromList
      ? navigate(-1)
      : navigate(listPath(params), { replace: true, preventScrollReset: true }));
}
