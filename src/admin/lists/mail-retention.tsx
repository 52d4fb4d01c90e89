/** A part of the question before a deletion: mails about a deleted item have their own retention (0020). */
export const MailsStay = () => (
  <p className="mt-3">
    Emails about this stay under Settings ▸ Email for 30 days. To delete them now, with everything else about
    the person, use Guests ▸ A person’s data.
  </p>
);
