import { useEffect, useRef } from "react";
import { useLocation, useNavigate, type Location } from "react-router";
import { moveUploads } from "#site/admin/files/local-uploads.ts";
import { NEW } from "./new-item.ts";

/**
 * The name of an item's form. A new item's form keeps its name at the item's own address, by the location's state, so
 * that it stays mounted with its typed values.
 */
export const useFormName = () => formNameAt(useLocation());

const formNameAt = ({ pathname, key, state }: Location) =>
  (state as { form?: string } | null)?.form ??
  (pathname.endsWith(`/${NEW}`) ? `${pathname} ${key}` : pathname);

/** A form without a name is the only one of its path. */
export const isSameForm = (name: string | undefined, current: Location, next: Location) =>
  name === undefined ? current.pathname === next.pathname : formNameAt(next) === name;

/** Whether a navigation stays on the page, including that from a new item to its own address. */
export const isSamePage = (current: Location, next: Location) => formNameAt(current) === formNameAt(next);

/** Moves a new item's form and its uploads to the item's own address. */
export function useOwnAddress(form: string | undefined) {
  const navigate = useNavigate();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  return async (address: string) => {
    // Do not return a user who has left.
    if (!isOpen.current) return;
    moveUploads(location.pathname, address);
    await navigate(address, { replace: true, preventScrollReset: true, state: { form } });
  };
}
