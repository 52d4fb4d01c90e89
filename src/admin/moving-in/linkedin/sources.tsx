import { useState, type FormEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { ChooseFiles } from "../choose-files.tsx";
import type { Problem, usePosts } from "./use-posts.ts";

type Props = Pick<
  ReturnType<typeof usePosts>,
  "reading" | "problem" | "fetchPosts" | "readArchive" | "stop"
> & {
  isConnected: boolean;
  /** As the settings have it. */
  profileUrl: string;
};

/** The sources of posts: the profile through LinkedIn's API, and the archive, which is always available. */
export function Sources({ isConnected, profileUrl, reading, problem, fetchPosts, readArchive, stop }: Props) {
  const errorAt = (at: Problem["at"]) => (problem?.at === at ? problem.message : null);
  return (
    <>
      <section aria-labelledby="linkedin-profile" className="grid max-w-3xl gap-4">
        <h2 id="linkedin-profile" className="text-lg font-semibold">
          From your profile
        </h2>
        {isConnected ? (
          <ProfileForm
            profileUrl={profileUrl}
            isReading={reading?.from === "api"}
            error={errorAt("profile")}
            refusal={errorAt("api")}
            onFetch={(url) => void fetchPosts(url)}
          />
        ) : (
          <HowToConnect />
        )}
        {reading?.from === "api" && <Waiting words={reading.waiting} onStop={stop} />}
      </section>
      <section aria-labelledby="linkedin-archive" className="grid max-w-3xl gap-4">
        <h2 id="linkedin-archive" className="text-lg font-semibold">
          From the archive
        </h2>
        <p className="text-muted">
          Ask LinkedIn for an archive of your posts: Settings ▸ Data privacy ▸ Get a copy of your data. Choose
          the larger archive. It has your posts and articles, without pictures or engagement.
        </p>
        <ChooseFiles
          label="Archive"
          words={reading?.from === "archive" ? "Reading the archive" : "Choose the zip, or drop it here"}
          accept=".zip,application/zip"
          help="The file is read in your browser. Messages and contacts never leave it."
          error={errorAt("archive")}
          onChoose={([file]) => file && void readArchive(file)}
        />
      </section>
      <p role="status" className="sr-only">
        {reading && (reading.from === "api" ? "Fetching posts" : "Reading the archive")}
      </p>
    </>
  );
}

type ProfileFormProps = {
  profileUrl: string;
  isReading: boolean;
  /** What is wrong with the address. */
  error: string | null;
  /** Why LinkedIn refuses every request, whatever the address. */
  refusal: string | null;
  onFetch: (profileUrl: string) => void;
};

function ProfileForm({ profileUrl, isReading, error, refusal, onFetch }: ProfileFormProps) {
  const [address, setAddress] = useState(profileUrl);
  const isHydrated = useHydrated();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReading) onFetch(address);
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <TextField
        label="LinkedIn profile"
        type="url"
        inputMode="url"
        autoComplete="url"
        placeholder="https://www.linkedin.com/in/your-name"
        value={address}
        onChange={({ target }) => setAddress(target.value)}
        help="Lists your own posts of the last 2 years, with likes and comments. Reshared posts are left out."
        error={error}
      />
      {refusal && (
        <p
          role="alert"
          className="border-l-4 border-danger pl-4 text-sm font-medium text-danger wrap-anywhere"
        >
          {refusal}
        </p>
      )}
      <div>
        <Button type="submit" tone="primary" busy={isReading} disabled={!isHydrated}>
          Fetch posts
        </Button>
      </div>
    </form>
  );
}

/** Why reading is waiting. */
export const Waiting = ({ words, onStop }: { words: string | null; onStop: () => void }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <p role="alert" className="max-w-xl text-sm font-medium text-danger empty:hidden">
      {words}
    </p>
    {words && (
      <Button size="sm" onClick={onStop}>
        Stop
      </Button>
    )}
  </div>
);

const HowToConnect = () => (
  <div className="grid gap-3 border-l-4 border-signal pl-4">
    <p className="font-medium">LinkedIn isn’t connected.</p>
    <p className="text-muted">
      With your own token, LinkedIn’s API lists your posts here with their engagement and pictures. The
      archive below needs no token.
    </p>
    <ol className="grid list-decimal gap-2 pl-5 text-muted">
      <li>
        Create an app in{" "}
        <a className="link" href="https://www.linkedin.com/developers/apps" rel="noopener">
          LinkedIn’s developer portal
        </a>
        , and request the permission <code translate="no">r_member_social</code>. LinkedIn grants it to few
        apps.
      </li>
      <li>
        Create a token in the portal’s token generator, with <code translate="no">r_basicprofile</code> as
        well, and <code translate="no">r_member_postAnalytics</code> for the number of shares. It lasts 60
        days.
      </li>
      <li className="wrap-anywhere">
        Save it as a secret of the site: <code translate="no">npx wrangler secret put LINKEDIN_TOKEN</code>
      </li>
    </ol>
  </div>
);
