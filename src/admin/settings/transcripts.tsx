import { useState } from "react";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { Site } from "#worker/settings/contract.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { TranscriptionKey, type Service } from "#worker/transcription/contract.ts";
import { readTranscriptionKey } from "#worker/transcription/queries.ts";
import { Checkbox, Options, SelectField, TextField } from "../form/fields.tsx";
import { ActionButton, Form, Submit } from "../form/form.tsx";
import { checkbox, number, object, text } from "../form/read.ts";
import { FormSection } from "../form/section.tsx";
import { act, intentOf, submit } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { saveSettings } from "./save.ts";
import type { Route } from "./+types/transcripts";

export const meta = pageTitle("Transcripts");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, updatedAt }, { hasKey }] = await load(
    Promise.all([readSettings(ctx), readTranscriptionKey(ctx)]),
  );
  return { transcription: site.transcription, updatedAt, hasKey, hasModels: ctx.ai !== undefined };
}

const SAVE_KEY = "save-key";
const REMOVE_KEY = "remove-key";

const serviceForm = {
  schema: Site.pick({ transcription: true }),
  fields: {
    transcription: object({
      service: text,
      url: (form, name) => text(form, name)?.trim(),
      model: text,
      pricePerMinute: number,
      waitSeconds: number,
      eachRecording: checkbox,
    }),
  },
};

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const route = api["transcription-key"];
  switch (intentOf(form)) {
    case SAVE_KEY:
      return submit(form, {
        schema: TranscriptionKey,
        fields: { key: text },
        async send(json) {
          await ensureOk(route.$put({ json }));
          return "Key saved";
        },
      });
    case REMOVE_KEY:
      return act(form, async () => {
        await ensureOk(route.$put({ json: { key: "" } }));
        return "Key removed";
      });
    default:
      return saveSettings(request, serviceForm);
  }
}

const services: [Service, string][] = [
  ["off", "None"],
  ["workers-ai", "Workers AI"],
  ["server", "A server with OpenAI’s API"],
];

export default function Transcripts({ loaderData }: Route.ComponentProps) {
  const { transcription, updatedAt, hasKey, hasModels } = loaderData;
  const { url, model, pricePerMinute, waitSeconds, eachRecording } = transcription;
  const [service, setService] = useState(transcription.service);
  return (
    <>
      <FormSection
        title="Transcripts"
        help="A model writes a transcript from an episode’s recording, which is sent to it. You read the result and decide whether to use it."
      >
        <Form basedOn={updatedAt}>
          <SelectField
            label="Transcribed by"
            name="transcription.service"
            value={service}
            onChange={(event) => setService(event.currentTarget.value as Service)}
            help={
              service === "workers-ai" && !hasModels
                ? "This site isn’t connected to Workers AI yet: its deployment needs the binding AI."
                : undefined
            }
          >
            <Options of={services} />
          </SelectField>
          <TextField
            label="Address of the server"
            name="transcription.url"
            type="url"
            maxLength={2000}
            defaultValue={url}
            placeholder="https://api.openai.com/v1"
            help="OpenAI, or your own whisper.cpp or faster-whisper. Not needed for Workers AI."
          />
          <TextField
            label="Model"
            name="transcription.model"
            required
            maxLength={120}
            defaultValue={model}
            help="Workers AI has @cf/openai/whisper-large-v3-turbo, and @cf/deepgram/nova-3, which distinguishes speakers. OpenAI’s model with times is whisper-1."
          />
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              label="Price of a minute, in dollars"
              name="transcription.pricePerMinute"
              inputMode="decimal"
              defaultValue={pricePerMinute}
              help="For the cost that is shown. Whisper on Workers AI: 0.0005, nova-3: 0.0052. Your own server: 0."
            />
            <TextField
              label="Seconds to wait for an answer"
              name="transcription.waitSeconds"
              inputMode="numeric"
              defaultValue={waitSeconds}
              help="A part has up to four minutes of sound. A slow server needs more than 30."
            />
          </div>
          <Checkbox
            label="Transcribe each new recording"
            name="transcription.eachRecording"
            defaultChecked={eachRecording}
            help="When it is added to an episode without a transcript. Not those of an import."
          />
          <ButtonRow>
            <Submit>Save changes</Submit>
          </ButtonRow>
        </Form>
      </FormSection>
      <FormSection
        title="Key"
        help="For a server that asks for one. It is stored encrypted where the deployment has a KEY_SECRET, and never shown again."
      >
        <p>{hasKey ? "A key is stored." : "No key is stored."}</p>
        <Form intent={SAVE_KEY} clearWhenSaved>
          <TextField
            label={hasKey ? "New key of the server" : "Key of the server"}
            name="key"
            type="password"
            autoComplete="off"
            required
            maxLength={500}
          />
          <ButtonRow>
            <Submit>Save key</Submit>
          </ButtonRow>
        </Form>
        {hasKey && (
          <ButtonRow>
            <ActionButton intent={REMOVE_KEY}>Remove key</ActionButton>
          </ButtonRow>
        )}
      </FormSection>
    </>
  );
}
