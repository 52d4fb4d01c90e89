import { useEffect, useRef } from "react";
import { useLocation, useNavigate, type Location } from "react-router";
import { moveUploads } from "#site/admin/files/local-uploads.ts";
import { NEW } from "../new-item.ts";

/**
 * The name of an item's form. A new item's form keeps it at the item's own address, by the location's state, so that what
 * is typed there stays.
 */
export const useFormName = () => formNameAt(useLocation());

const formNameAt = ({ pathname, key, state }: Location) =>
  (state as { form?: string } | null)?.form ??
  (pathname.endsWith(`/${NEW}`) ? `${pathname} ${key}` : pathname);

/** A form without a name is the only one of its path. */
export const isSameForm = (name: string | undefined, current: Location, next: Location) =>
  name === undefined ? current.pathname === next.pathname : formNameAt(next) === name;

/** Whether a navigation leaves the page where it is, a new item's at the item's own address as well. */
export const isSamePage = (current: Location, next: Location) => formNameAt(current) === formNameAt(next);

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
