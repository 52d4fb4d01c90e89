import type { ComponentProps } from "react";
import { api, readJson } from "#site/api.ts";
import { DuplicateButton } from "../duplicate-button.tsx";
import { PATH } from "./names.ts";

type Props = Pick<ComponentProps<typeof DuplicateButton>, "tone" | "aria-label"> & { id: number };

export const DuplicateLetter = ({ id, ...button }: Props) => (
  <DuplicateButton
    {...button}
    noun="Letter"
    path={PATH}
    duplicate={() => readJson(api.newsletters[":id"].duplicate.$post({ param: { id: String(id) } }))}
  />
);
