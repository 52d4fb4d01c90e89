import { useEffect, useRef } from "react";
import { useLocation, useNavigate, type Location } from "react-router";
import { moveUploads } from "#site/admin/files/local-uploads.ts";
import { NEW } from "../new-item.ts";

/**
 * The name of an item's form. A new item's form keeps it at the item's own address, by the location's state, so that what
 * is typed there stays.
 */
export const useFormName = () => formNameAt(useLocation());

export const formNameAt = ({ pathname, key, state }: Location) =>
  (state as { form?: string } | null)?.form ??
  (pathname.endsWith(`/${NEW}`) ? `${pathname} ${key}` : pathname);

/** Leads a new item's form to the item's own address, where it goes on, and uploads into it. */
export function useOwnAddress(form: string | undefined) {
  const navigate = useNavigate();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  return async (address: string) => {
    // Who left meanwhile is not led back.
    if (!isOpen.current) return;
    moveUploads(location.pathname, address);
    await navigate(address, { replace: true, preventScrollReset: true, state: { form } });
  };
}
