type Props = {
  /** What the item is called, as it is typed. */
  title: string;
  /** "New episode", for one that has no title yet. */
  untitled: string;
  /** How it stands, in a word. */
  state: string;
};

/** What a form is about: the item's title, and how it stands. */
export const FormHeading = ({ title, untitled, state }: Props) => (
  <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">
    <bdi>{title.trim() || untitled}</bdi>
    <span className="font-normal text-muted">{` · ${state}`}</span>
  </h1>
);
