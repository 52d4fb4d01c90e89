import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";

/** Dialogs that a list opens have addresses: the list's own, with `add`, or `edit` and an id. */
export type DialogPaths = ReturnType<typeof dialogPaths>;

export function dialogPaths(list: string) {
  const withDialog = (params: URLSearchParams, dialog: Record<string, string>) => {
    const { add: _add, edit: _edit, ...ofList } = Object.fromEntries(params);
    const query = new URLSearchParams({ ...ofList, ...dialog });
    return query.size > 0 ? `${list}?${query}` : list;
  };
  return {
    /** The list with its filters and page, without a dialog. */
    listPath: (params: URLSearchParams) => withDialog(params, {}),
    addPath: (params: URLSearchParams) => withDialog(params, { add: "" }),
    editPath: (params: URLSearchParams, id: string | number) => withDialog(params, { edit: String(id) }),
  };
}

/** The history state of a link that opens a dialog: the entry before it is the list. */
export const FROM_LIST = { fromList: true };

/** Closes a dialog that has an address: goes back to the list, or replaces the address when it was opened directly. */
export function useCloseDialog({ listPath }: DialogPaths) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { key, state } = useLocation();
  // Stays set until the list has loaded: another step back would leave the list.
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- A new key means that the list, or the dialog, has loaded.
  }, [key]);
  const cameFromList = (state as Partial<typeof FROM_LIST> | null)?.fromList === true;
  return () => {
    if (isClosing.current) return;
    isClosing.current = true;
    void (cameFromList
      ? navigate(-1)
      : navigate(listPath(params), { replace: true, preventScrollReset: true }));
  };
}
