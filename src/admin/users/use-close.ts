import { useLocation, useNavigate, useSearchParams } from "react-router";
import { listPath } from "./addresses.ts";

/** The state of links that open a dialog: Back is then the list that they stand in. */
export const FROM_LIST = { fromList: true };

/** Closes a dialog that has an address: by Back to the list that it was opened from, or with the list in its place. */
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
