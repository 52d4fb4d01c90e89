/** The connection settings of a mail server. */
export type SmtpServer = {
  host: string;
  port: number;
  /** From the first byte; upgraded by STARTTLS, which is then required; or none, on this machine only. */
  tls: "implicit" | "starttls" | "none";
  login: { user: string; pass: string } | null;
};

/**
 * Reads `smtps://user:password@host:465` (TLS from the first byte, RFC 8314 §3.3) or `smtp://user:password@host:587`
 * (STARTTLS). User and password are percent-encoded. A server at localhost needs no TLS.
 * @throws a plain error without the password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new Error("SMTP_URL is not an address such as smtps://user:password@smtp.example.net:465.");
  }
  const isImplicit = url.protocol === "smtps:";
  const login = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : null;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port ? Number(url.port) : isImplicit ? 465 : 587,
    tls: isImplicit ? "implicit" : url.hostname === "localhost" ? "none" : "starttls",
    login,
  };
}
