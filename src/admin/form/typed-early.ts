import { useLayoutEffect, useState } from "react";
import { typeInto } from "./controls.ts";

/** Restores text typed into text areas before hydration, which React replaces with the server's text. */
export function useTypedEarly() {
  const [typed] = useState(() => (typeof document === "undefined" ? [] : changedTextAreas()));
  useLayoutEffect(() => {
    for (const { area, value } of typed) if (area.isConnected) typeInto(area, value);
  }, [typed]);
}

const changedTextAreas = () =>
  [...document.querySelectorAll("textarea")]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map((area) => ({ area, value: area.value }));
