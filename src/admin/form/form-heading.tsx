type Props = {
  /** The item's title, as typed. */
  title: string;
  /** "New episode", for one that has no title yet. */
  untitled: string;
  /** Its state, in a word. */
  state: string;
};

/** The heading of a form: the item's title and state. */
export const FormHeading = ({ title, untitled, state }: Props) => (
  <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">
    <bdi>{title.trim() || untitled}</bdi>
    <span className="font-normal text-muted">{` · ${state}`}</span>
  </h1>
);
