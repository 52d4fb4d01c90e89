import { useLocation } from "react-router";
import { NEW } from "../new-item.ts";

/**
 * The name of an item's form. A new item's form keeps it at the item's own address, by the location's state, so that what
 * is typed there stays.
 */
export function useFormName(id: string) {
  const { key, state } = useLocation();
  const named = (state as { form?: string } | null)?.form;
  return named ?? (id === NEW ? `${NEW}-${key}` : id);
}
