import { siteContext } from "#site/context.ts";
import { readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { errorPage } from "../shell/error-page.tsx";
import { load } from "../shell/load.server.ts";
import { EnquiryPage } from "./enquiry-page.tsx";
import { listChoices } from "./episode-choices.server.ts";
import { GuestSection } from "./guest-form.tsx";
import { EpisodeLink, Fact, ProfileLink } from "./parts.tsx";
import { PlannedRecording } from "./recording.tsx";
import { saveEnquiry } from "./save.ts";
import type { Route } from "./+types/application";

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.application.name ?? "Application"} · Admin` },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const application = await load(readEnquiry(ctx, "application", Number(params.id)));
  const episodes = application.box === "approved" ? await load(listChoices(ctx)) : [];
  return { application, episodes };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveEnquiry("application", request);

export default function ApplicationPage({ loaderData: { application, episodes } }: Route.ComponentProps) {
  const { id, box, name, fields, episode, recording } = application;
  return (
    <EnquiryPage
      kind="application"
      enquiry={application}
      facts={
        <>
          {fields.linkedinProfile !== "" && (
            <Fact name="LinkedIn">
              <ProfileLink name={name} href={fields.linkedinProfile} />
            </Fact>
          )}
          <Fact name="Topic">{fields.topic}</Fact>
          {fields.addedBy !== undefined && <Fact name="Added by">{fields.addedBy}</Fact>}
          {episode && (
            <Fact name="Guest of">
              <EpisodeLink {...episode} />
            </Fact>
          )}
        </>
      }
    >
      {recording && <PlannedRecording id={id} name={name} at={recording.at} />}
      {box === "approved" && <GuestSection id={id} episodes={episodes} />}
    </EnquiryPage>
  );
}

export const ErrorBoundary = errorPage();
