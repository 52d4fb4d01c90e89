/**
 * The name of the hidden field that people leave empty. Browsers and password managers do not recognise it; they fill
 * in fields called name, email, url, address or company even where `autocomplete` forbids it.
 */
export const HONEYPOT = "leaveEmpty";
