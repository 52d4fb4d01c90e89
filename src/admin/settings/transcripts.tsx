import { useState } from "react";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { ModelKey, type Service } from "#worker/models/contract.ts";
import { readProposalKey } from "#worker/proposals/queries.ts";
import { Site } from "#worker/settings/contract.ts";
import { readSettings } from "#worker/settings/queries.ts";
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
  const [{ site, updatedAt }, { hasKey }, { hasKey: hasProposalKey }] = await load(
    Promise.all([readSettings(ctx), readTranscriptionKey(ctx), readProposalKey(ctx)]),
  );
  const { transcription, proposals, disclosesGenerated } = site;
  const hasModels = ctx.ai !== undefined;
  return { transcription, proposals, disclosesGenerated, updatedAt, hasKey, hasProposalKey, hasModels };
}

const SAVE_KEY = "save-key";
const REMOVE_KEY = "remove-key";
const SAVE_PROPOSALS = "save-proposals";
const SAVE_PROPOSAL_KEY = "save-proposal-key";
const REMOVE_PROPOSAL_KEY = "remove-proposal-key";
const SAVE_DISCLOSURE = "save-disclosure";

const url = (form: FormData, name: string) => text(form, name)?.trim();

const serviceForm = {
  schema: Site.pick({ transcription: true }),
  fields: {
    transcription: object({
      service: text,
      url,
      model: text,
      pricePerMinute: number,
      waitSeconds: number,
      eachRecording: checkbox,
    }),
  },
};

const proposalsForm = {
  schema: Site.pick({ proposals: true }),
  fields: {
    proposals: object({
      service: text,
      url,
      model: text,
      inputPrice: number,
      outputPrice: number,
      waitSeconds: number,
    }),
  },
};

const disclosureForm = {
  schema: Site.pick({ disclosesGenerated: true }),
  fields: { disclosesGenerated: checkbox },
};

type PutKey = (json: ModelKey) => Promise<{ hasKey: boolean }>;

const putTranscriptionKey: PutKey = (json) => readJson(api["transcription-key"].$put({ json }));
const putProposalKey: PutKey = (json) => readJson(api["proposal-key"].$put({ json }));

const saveKey = (form: FormData, put: PutKey) =>
  submit(form, {
    schema: ModelKey,
    fields: { key: text },
    async send(json) {
      await put(json);
      return "Key saved";
    },
  });

const removeKey = (form: FormData, put: PutKey) =>
  act(form, async () => {
    await put({ key: "" });
    return "Key removed";
  });

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  switch (intentOf(form)) {
    case SAVE_KEY:
      return saveKey(form, putTranscriptionKey);
    case REMOVE_KEY:
      return removeKey(form, putTranscriptionKey);
    case SAVE_PROPOSALS:
      return saveSettings(request, proposalsForm);
    case SAVE_PROPOSAL_KEY:
      return saveKey(form, putProposalKey);
    case REMOVE_PROPOSAL_KEY:
      return removeKey(form, putProposalKey);
    case SAVE_DISCLOSURE:
      return saveSettings(request, disclosureForm);
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
  const { transcription, proposals, disclosesGenerated, updatedAt, hasKey, hasProposalKey, hasModels } =
    loaderData;
  const { model, pricePerMinute, waitSeconds, eachRecording } = transcription;
  return (
    <>
      <FormSection
        title="Transcripts"
        help="A model writes a transcript from an episode’s recording, which is sent to it. You read the result and decide whether to use it."
      >
        <Form basedOn={updatedAt}>
          <ServiceField
            label="Transcribed by"
            name="transcription.service"
            initial={transcription.service}
            hasModels={hasModels}
          />
          <TextField
            label="Address of the server"
            name="transcription.url"
            type="url"
            maxLength={2000}
            defaultValue={transcription.url}
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
      <KeySection
        title="Key"
        label="Key of the server"
        what="key"
        hasKey={hasKey}
        save={SAVE_KEY}
        remove={REMOVE_KEY}
        buttons={["Save key", "Remove key"]}
      />
      <ProposalsSection proposals={proposals} updatedAt={updatedAt} hasModels={hasModels} />
      <KeySection
        title="Key for proposals"
        label="Key for proposals"
        what="key for proposals"
        hasKey={hasProposalKey}
        save={SAVE_PROPOSAL_KEY}
        remove={REMOVE_PROPOSAL_KEY}
        buttons={["Save the key for proposals", "Remove the key for proposals"]}
      />
      <FormSection
        title="Disclosure"
        help="Some countries and Apple Podcasts ask that AI in a podcast is disclosed. Each episode’s form lists what a model wrote in it."
      >
        <Form intent={SAVE_DISCLOSURE} basedOn={updatedAt}>
          <Checkbox
            label="Say what a model wrote"
            name="disclosesGenerated"
            defaultChecked={disclosesGenerated}
            help="In a sentence on the episode’s page, and in the feed as ai-content: true, or false for an episode without it."
          />
          <ButtonRow>
            <Submit>Save disclosure</Submit>
          </ButtonRow>
        </Form>
      </FormSection>
    </>
  );
}

type ServiceFieldProps = { name: string; label: string; initial: Service; hasModels: boolean };

function ServiceField({ name, label, initial, hasModels }: ServiceFieldProps) {
  const [service, setService] = useState(initial);
  return (
    <SelectField
      label={label}
      name={name}
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
  );
}

type ProposalsProps = Pick<Route.ComponentProps["loaderData"], "proposals" | "updatedAt" | "hasModels">;

function ProposalsSection({ proposals, updatedAt, hasModels }: ProposalsProps) {
  return (
    <FormSection
      title="Proposals"
      help="A model proposes titles, a summary, show notes, chapters, soundbites and a message for networks from an episode’s transcript, which is sent to it. Each shows the passage that it is based on, and you decide which of them to use."
    >
      <Form intent={SAVE_PROPOSALS} basedOn={updatedAt}>
        <ServiceField
          label="Proposed by"
          name="proposals.service"
          initial={proposals.service}
          hasModels={hasModels}
        />
        <TextField
          label="Address for proposals"
          name="proposals.url"
          type="url"
          maxLength={2000}
          defaultValue={proposals.url}
          placeholder="https://api.openai.com/v1"
          help="OpenAI, or your own llama.cpp, Ollama or vLLM. Not needed for Workers AI."
        />
        <TextField
          label="Text model"
          name="proposals.model"
          required
          maxLength={120}
          defaultValue={proposals.model}
          help="One that answers in JSON, such as @cf/meta/llama-3.3-70b-instruct-fp8-fast on Workers AI."
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField
            label="Price of a million tokens sent, in dollars"
            name="proposals.inputPrice"
            inputMode="decimal"
            defaultValue={proposals.inputPrice}
            help="For the cost that is shown. Your own server: 0."
          />
          <TextField
            label="Price of a million tokens received, in dollars"
            name="proposals.outputPrice"
            inputMode="decimal"
            defaultValue={proposals.outputPrice}
          />
        </div>
        <TextField
          label="Seconds to wait for proposals"
          name="proposals.waitSeconds"
          inputMode="numeric"
          defaultValue={proposals.waitSeconds}
          help="Large models need more than 30."
        />
        <ButtonRow>
          <Submit>Save proposals</Submit>
        </ButtonRow>
      </Form>
    </FormSection>
  );
}

type KeyProps = {
  title: string;
  label: string;
  /** As in "No key is stored." */
  what: string;
  hasKey: boolean;
  save: string;
  remove: string;
  /** That save it, and remove it. */
  buttons: [save: string, remove: string];
};

function KeySection({ title, label, what, hasKey, save, remove, buttons }: KeyProps) {
  return (
    <FormSection
      title={title}
      help="For a server that asks for one, and only for the address that is saved above. It is stored encrypted where the deployment has a KEY_SECRET, and never shown again."
    >
      <p>{hasKey ? `A ${what} is stored.` : `No ${what} is stored.`}</p>
      <Form intent={save} clearWhenSaved>
        <TextField
          label={hasKey ? `New k${label.slice(1)}` : label}
          name="key"
          type="password"
          autoComplete="off"
          required
          maxLength={500}
        />
        <ButtonRow>
          <Submit>{buttons[0]}</Submit>
        </ButtonRow>
      </Form>
      {hasKey && (
        <ButtonRow>
          <ActionButton intent={remove}>{buttons[1]}</ActionButton>
        </ButtonRow>
      )}
    </FormSection>
  );
}
