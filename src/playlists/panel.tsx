import { EmptyState } from "#site/ui/states.tsx";

/** The listener's playlists, in the home page's panel. */
export const PlaylistsPanel = () => (
  <section aria-labelledby="playlists" className="animate-appear pt-6 pb-4">
    <h2 id="playlists" className="headline text-2xl">
      Your Playlists
    </h2>
    <p className="mb-6 font-reading text-lg text-muted">Organize your favorite episodes</p>
    <EmptyState title="No playlists yet">Create your first playlist to get started.</EmptyState>
  </section>
);
