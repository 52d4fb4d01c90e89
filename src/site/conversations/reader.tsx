import { X } from "#site/ui/icons.tsx";
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useFetcher, useNavigate } from "react-router";
import { COUNTED } from "#site/document/counting.ts";
import { Link } from "#site/document/link.tsx";
import { Button } from "#site/ui/button.tsx";
import { lockScroll } from "#site/ui/scroll-lock.ts";
import { Skeleton } from "#site/ui/states.tsx";
import type { loader } from "../essays/essay.tsx";
import { Byline, Category } from "../essays/facts.tsx";
import { EssayPicture } from "#site/shell/artwork.tsx";
import { EssayText, Origin, Tags } from "../essays/text.tsx";
import { useDocumentTitle } from "../use-layout.ts";

const TITLE = "reader-title";

/** An article in a dialog over the list. Closing it goes back to the list's history entry. */
export function Reader({ slug }: { slug: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { load, data } = useFetcher<typeof loader>();
  useModal(dialog, slug);
  useEffect(() => void load(`/essays/${slug}`), [load, slug]);
  return (
    <dialog
      ref={dialog}
      // Focused when it opens: the keyboard scrolls it, and a screen reader starts at its beginning.
      tabIndex={-1}
      {...{ closedby: "any" }}
      aria-labelledby={data ? TITLE : undefined}
      aria-label={data ? undefined : "Loading article"}
      aria-busy={!data}
      className={
        "m-auto max-h-[calc(100dvh-3rem)] w-full max-w-[46rem] animate-appear overflow-y-auto overscroll-contain " +
        "bg-paper text-ink shadow-float outline-none backdrop:animate-appear backdrop:bg-[rgb(12_12_10/0.55)] " +
        "max-sm:h-dvh max-sm:max-h-none max-sm:max-w-none"
      }
    >
      <Bar slug={slug} />
      {data ? <Opened {...data} /> : <Opening />}
    </dialog>
  );
}

const Bar = ({ slug }: { slug: string }) => (
  <div className="sticky top-0 z-10 flex h-14 items-center justify-between gap-4 border-b border-rule bg-paper pr-2 pl-6 sm:pl-12">
    <Link to={`/essays/${slug}`} replace className="link text-sm">
      Open as a page
    </Link>
    <form method="dialog">
      <Button type="submit" tone="bare" size="icon" aria-label="Close">
        <X aria-hidden size={20} />
      </Button>
    </form>
  </div>
);

type Loaded = NonNullable<ReturnType<typeof useFetcher<typeof loader>>["data"]>;

const Opened = ({ article, author, url }: Loaded) => (
  <article className="grid grid-cols-1 gap-6 px-6 pt-8 pb-12 sm:px-12 sm:pt-10">
    {/* React inserts it before the page's own title, and removes it on unmount. */}
    <title>{useDocumentTitle(article.title)}</title>
    {/* After the list's own elements, so that the tracker counts the article. */}
    <link rel="canonical" href={url} />
    <meta name={COUNTED} content={`article ${article.id}`} />
    <header className="grid gap-4">
      {article.category && (
        <p className="kicker">
          <Category category={article.category} />
        </p>
      )}
      <h2 id={TITLE} className="headline text-2xl">
        {article.title}
      </h2>
      {article.excerpt && <p className="font-reading text-lg text-muted">{article.excerpt}</p>}
      <Byline article={article} author={author} />
    </header>
    {article.picture && (
      <EssayPicture picture={article.picture} seed={article.id} sizes="(min-width: 46rem) 40rem, 90vw" />
    )}
    <EssayText html={article.contentHtml} />
    <Origin article={article} />
    <Tags tags={article.tags} />
  </article>
);

const Opening = () => (
  <div className="grid gap-4 px-6 pt-10 pb-12 sm:px-12">
    <Skeleton className="h-10 w-full" />
    <Skeleton className="h-10 w-3/5" />
    <Skeleton className="mt-2 h-4 w-48" />
    <Skeleton className="mt-4 aspect-3/2 w-full" />
  </div>
);

/** A `<dialog>` modal: the browser traps the focus and closes it on Escape. The page behind does not scroll. */
function useModal(ref: RefObject<HTMLDialogElement | null>, slug: string) {
  const navigate = useNavigate();
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const goBack = () => {
      // Ignores the close event before a reopening: StrictMode mounts twice in development.
      if (!dialog.open) void navigate(-1);
    };
    dialog.showModal();
    dialog.focus();
    dialog.addEventListener("close", goBack);
    const unlock = lockScroll();
    return () => {
      dialog.removeEventListener("close", goBack);
      dialog.close();
      unlock();
      focusTitle(slug);
    };
  }, [ref, navigate, slug]);
}

/**
 * Focuses the title's link. The browser would return the focus to the pressed picture, which is hidden from screen
 * readers, or to nothing.
 */
const focusTitle = (slug: string) =>
  document
    .querySelector<HTMLElement>(`main a[href="/essays/${CSS.escape(slug)}"]:not([aria-hidden])`)
    ?.focus({ preventScroll: true });
