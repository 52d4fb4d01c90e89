import type { ComponentProps } from "react";
import { api, readJson } from "#site/api.ts";
import { DuplicateButton } from "../duplicate-button.tsx";

type Props = Pick<ComponentProps<typeof DuplicateButton>, "tone" | "aria-label"> & { id: number };

export const DuplicateEpisode = ({ id, ...button }: Props) => (
  <DuplicateButton
    {...button}
    noun="Episode"
    path="/admin/podcast"
    duplicate={() => readJson(api.episodes[":id"].duplicate.$post({ param: { id: String(id) } }))}
  />
);
