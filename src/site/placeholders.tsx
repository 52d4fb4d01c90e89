import type { ReactNode } from "react";
import { ConversationsLoading } from "./conversations/cards.tsx";
import { EpisodeLoading } from "./episode/loading.tsx";
import { EssayLoading, EssaysLoading } from "./essays/loading.tsx";
import { MediaLoading } from "./media/loading.tsx";
import { PodcastLoading } from "./podcast/loading.tsx";
import { SpeakingLoading } from "./speaking/loading.tsx";
import { StandingLoading } from "./standing-loading.tsx";

const placeholders = [
  { path: /^\/podcast\/?$/, Placeholders: PodcastLoading },
  { path: /^\/episode\/\d+\/?$/, Placeholders: EpisodeLoading },
  { path: /^\/conversations\/?$/, Placeholders: ConversationsLoading },
  { path: /^\/essays\/?$/, Placeholders: EssaysLoading },
  { path: /^\/essays\/[^/]+\/?$/, Placeholders: EssayLoading },
  {
    path: /^\/(about|mission|media-kit|guest|contact|three-es|speaking\/book|privacy-policy|terms-of-service)\/?$/,
    Placeholders: StandingLoading,
  },
  { path: /^\/media\/?$/, Placeholders: MediaLoading },
  { path: /^\/speaking\/?$/, Placeholders: SpeakingLoading },
];

/** What stands in for a page on its way; `children` for a page that has no placeholders. */
export function Placeholders({ pathname, children }: { pathname: string; children: ReactNode }) {
  const found = placeholders.find(({ path }) => path.test(pathname));
  return found ? <found.Placeholders /> : children;
}
