import { pageTitle } from "../page-title.ts";
import { ChooseFiles } from "../imports/choose-files.tsx";
import { PostList } from "./linkedin-import/post-list.tsx";
import { useLinkedIn } from "./linkedin-import/use-linkedin.ts";

export const meta = pageTitle("LinkedIn Import");

/** The archive is read in the browser; only the posts that are imported are sent. */
export default function LinkedInImport() {
  const { listed, isReading, error, choose, ...actions } = useLinkedIn();
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">LinkedIn Import</h1>
      {listed ? (
        <PostList listed={listed} {...actions} />
      ) : (
        <>
          <p className="mb-6 max-w-3xl text-muted">
            LinkedIn sends your posts as an archive: Settings, Data privacy, Get a copy of your data. Ask for
            the larger archive. Your own posts and articles of the last 2 years are listed here, and each that
            you import becomes a published article with its date.
          </p>
          <ChooseFiles
            label="Archive"
            words={isReading ? "Reading the archive" : "Choose the zip, or drop it here"}
            accept=".zip,application/zip"
            help="It is read on this computer. Messages, contacts and all else in it are not sent."
            error={error}
            onChoose={(files) => void choose(files)}
          />
          <p role="status" className="sr-only">
            {isReading && "Reading the archive"}
          </p>
        </>
      )}
    </>
  );
}
