/**
 * The name of the hidden field that people leave empty. It means nothing to a browser or password manager, which fill in
 * fields called name, email, url, address, company and the like, whatever `autocomplete` says.
 */
export const HONEYPOT = "leaveEmpty";
