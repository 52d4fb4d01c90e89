import {
  engagementTypeNames,
  enquiryAnswers,
  enquiryLimits,
  honorariumNames,
} from "#worker/enquiries/limits.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { FormLongText, FormSelect, FormText } from "../forms/fields.tsx";
import { NameAndEmail } from "../forms/name-and-email.tsx";
import { PublicForm } from "../forms/public-form.tsx";

const { name, organization, eventName, additionalInfo } = enquiryLimits;

type BookingFormProps = {
  sent: SentForm | null;
  /** The earliest selectable day, yyyy-mm-dd. */
  today: string;
  onSuccess: (outcome: { isUnconfirmed: boolean }) => void;
};

export const BookingForm = ({ sent, today, onSuccess }: BookingFormProps) => (
  <PublicForm
    name="booking"
    action="/api/speaking-bookings"
    limits={{ name, organization, eventName, additionalInfo }}
    sent={sent}
    answers={enquiryAnswers.booking}
    button="Submit request"
    busy="Submitting..."
    onSuccess={onSuccess}
  >
    <NameAndEmail label="Full Name" placeholder="Your full name" />
    <FormText
      label="Organisation"
      name="organization"
      required="Organisation is required"
      limit={organization}
      autoComplete="organization"
      placeholder="Who is inviting?"
    />
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <FormText
        label="Event name"
        name="eventName"
        required="Event is required"
        limit={eventName}
        autoComplete="off"
        placeholder="Name of the event"
      />
      <FormText label="Event date (optional)" name="eventDate" type="date" min={today} max="9999-12-31" />
    </div>
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <FormSelect
        label="Engagement type"
        name="engagementType"
        required="Choose a type."
        options={engagementTypeNames}
        placeholder="Select a type"
      />
      <FormSelect
        label="Honorarium"
        name="honorarium"
        required="Choose an honorarium."
        options={honorariumNames}
        placeholder="Select an option"
      />
    </div>
    <FormLongText
      label="Additional information (optional)"
      name="additionalInfo"
      rows={5}
      limit={additionalInfo}
      placeholder="Audience, place, topic, and anything else that helps"
    />
  </PublicForm>
);
