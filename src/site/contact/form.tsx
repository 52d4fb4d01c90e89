import { enquiryAnswers, enquiryLimits, messageTypeNames } from "#worker/enquiries/limits.ts";
import type { MessageType } from "#worker/pages/contract.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { FormLongText, FormSelect, FormText } from "../forms/fields.tsx";
import { NameAndEmail } from "../forms/name-and-email.tsx";
import { PublicForm } from "../forms/public-form.tsx";

const { name, subject, message } = enquiryLimits;

type ContactFormProps = {
  sent: SentForm | null;
  /** The initial choice. */
  type: MessageType;
};

export const ContactForm = ({ sent, type }: ContactFormProps) => (
  <PublicForm
    name="contact"
    action="/api/contact-messages"
    limits={{ name, subject, message }}
    sent={sent}
    answers={enquiryAnswers.message}
    button="Send message"
    busy="Sending..."
  >
    <NameAndEmail label="Name" placeholder="Your name" />
    {/* Keyed, so that another `type` in the address changes the choice; typed text stays. */}
    <FormSelect key={type} label="Type of enquiry" name="type" options={messageTypeNames} chosen={type} />
    <FormText
      label="Subject"
      name="subject"
      required="Subject is required"
      limit={subject}
      autoComplete="off"
      placeholder="In a few words"
    />
    <FormLongText
      label="Message"
      name="message"
      required="Message is required"
      rows={7}
      limit={message}
      placeholder="What would you like to say?"
    />
  </PublicForm>
);
