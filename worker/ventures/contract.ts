import { z } from "zod";
import type { Picture } from "#worker/files/contract.ts";
import { fileId, optionalLink } from "#worker/platform/contract.ts";

export const ventureIcons = ["Building", "Heart", "TrendingUp", "Zap", "Users", "Globe", "Star"] as const;
export type VentureIcon = (typeof ventureIcons)[number];

export const NewVenture = z.strictObject({
  name: z.string().trim().min(1, "Name is required").max(120, "A name has at most 120 characters."),
  url: optionalLink.default(null),
  description: z
    .string()
    .trim()
    .min(1, "Description is required")
    .max(600, "A description has at most 600 characters."),
  icon: z.enum(ventureIcons).default("Building"),
  /** Lower ones stand first. */
  sortOrder: z.int().min(-1_000_000).max(1_000_000).default(0),
  imageFileId: fileId.default(null),
  /** Shown on the site. */
  active: z.boolean().default(true),
});
export type NewVenture = z.input<typeof NewVenture>;

/** A venture as visitors see it. */
export type Venture = {
  id: number;
  name: string;
  description: string;
  url: string | null;
  icon: VentureIcon;
  picture: Picture | null;
};
