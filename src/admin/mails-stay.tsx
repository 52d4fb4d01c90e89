/** A part of the question before a deletion: the mails about what is deleted have a retention of their own (0020). */
export const MailsStay = () => (
  <p className="mt-3">
    Mails about this stay in Settings, under Email, until they are 30 days old. Guests, under A person,
    deletes them too, with everything else about that person.
  </p>
);
