/** A part of the question before a deletion: the mails about what is deleted have a retention of their own (0020). */
export const MailsStay = () => (
  <p className="mt-3">
    Emails about this stay under Settings ▸ Email for 30 days. To delete them now, with everything else about
    the person, use Guests ▸ A person’s data.
  </p>
);
