import { Link } from "#site/document/link.tsx";
import { enquiryAnswers, enquiryLimits } from "#worker/enquiries/limits.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { FormCheckbox, FormLongText, FormText } from "../forms/fields.tsx";
import { NameAndEmail } from "../forms/name-and-email.tsx";
import { PublicForm } from "../forms/public-form.tsx";

const { name, linkedinProfile, topic, position } = enquiryLimits;

export const GuestForm = ({ sent }: { sent: SentForm | null }) => (
  <PublicForm
    name="application"
    action="/api/guest-applications"
    limits={{ name, linkedinProfile, topic, position }}
    sent={sent}
    answers={enquiryAnswers.application}
    button="Submit application"
    busy="Submitting..."
  >
    <NameAndEmail label="Name" placeholder="Your full name" />
    <FormText
      label="LinkedIn profile"
      name="linkedinProfile"
      type="url"
      required="LinkedIn profile is required"
      limit={linkedinProfile}
      autoComplete="url"
      placeholder="https://www.linkedin.com/in/your-name"
    />
    <FormText
      label="Topic"
      name="topic"
      required="Topic is required"
      limit={topic}
      autoComplete="off"
      placeholder="What would you like to talk about?"
    />
    <FormLongText
      label="Your position"
      name="position"
      required="Position is required"
      rows={4}
      limit={position}
      placeholder="2–3 bullet points"
      help="Your view on the topic, in 2–3 bullet points."
    />
    <FormCheckbox
      name="consent"
      required="Please agree first."
      label={
        <span>
          I agree that my application is stored and read as the{" "}
          <Link to="/privacy-policy" className="link">
            privacy policy
          </Link>{" "}
          says, and that you may contact me about it.
        </span>
      }
    />
  </PublicForm>
);
