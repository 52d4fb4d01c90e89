import { z } from "zod";
import type { Picture } from "#worker/files/contract.ts";
import {
  basedOn,
  draftKey,
  fileId,
  line,
  lines,
  optionalLink,
  orderOf,
  sortOrder,
} from "#worker/platform/contract.ts";

export const ventureIcons = ["Building", "Heart", "TrendingUp", "Zap", "Users", "Globe", "Star"] as const;
export type VentureIcon = (typeof ventureIcons)[number];

/** The grid has no second page, and the owner orders the whole list. */
export const MOST_VENTURES = 60;

const VentureFields = z.strictObject({
  name: line(120, "A name has at most 120 characters.").min(1, "Name is required"),
  url: optionalLink,
  description: lines(600, "A description has at most 600 characters.").min(1, "Description is required"),
  icon: z.enum(ventureIcons),
  sortOrder,
  imageFileId: fileId,
  /** Shown on the site. */
  active: z.boolean(),
});
export type VentureInput = z.output<typeof VentureFields>;

/** Name and description are required; the rest has `ventureDefaults`, and its place is the last. */
export const NewVenture = VentureFields.partial({
  url: true,
  icon: true,
  sortOrder: true,
  imageFileId: true,
  active: true,
}).extend({ draftKey });
export type NewVenture = z.input<typeof NewVenture>;

export const VentureChange = VentureFields.partial().extend({ basedOn });
export type VentureChange = z.input<typeof VentureChange>;

/** Every venture's id once, in their new order. */
export const VentureOrder = orderOf(MOST_VENTURES);
export type VentureOrder = z.input<typeof VentureOrder>;

export const ventureDefaults = {
  url: null,
  icon: "Building",
  imageFileId: null,
  active: true,
} as const satisfies Partial<VentureInput>;

/** A venture as visitors see it. */
export type Venture = {
  id: number;
  name: string;
  description: string;
  url: string | null;
  icon: VentureIcon;
  picture: Picture | null;
};

/** A venture in the owner's list. */
export type VentureRow = Venture & { active: boolean; sortOrder: number };
