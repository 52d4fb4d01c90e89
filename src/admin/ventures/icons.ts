import { Building, Globe, Heart, Star, TrendingUp, Users, Zap, type LucideIcon } from "lucide-react";
import type { VentureIcon } from "#worker/ventures/contract.ts";

/** lucide's own names. */
export const icons: Record<VentureIcon, LucideIcon> = {
  Building,
  Heart,
  TrendingUp,
  Zap,
  Users,
  Globe,
  Star,
};
