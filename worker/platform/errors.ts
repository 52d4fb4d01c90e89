const statuses = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  /** The session may do this once its user has proved again who they are (access/capabilities.ts). */
  reauthentication_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  too_many: 429,
  not_implemented: 501,
  unavailable: 503,
  /** The database has no room: trying again does not help. */
  full: 507,
} as const;

export type ErrorCode = keyof typeof statuses;

type Details = {
  /** The input beside which the message is shown. */
  field?: string;
  /** The messages of all inputs that were refused, by name, if there are several. */
  fields?: Record<string, string>;
  /** Seconds; answered as `Retry-After`. */
  retryAfter?: number;
  /** Refused because another site sent the request. */
  isForeign?: boolean;
  /** The input has keys that no form of this site sends. */
  hasUnknownKeys?: boolean;
};

/** An error that a person can act on; its message is shown to them. Anything else thrown is a bug and becomes a 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly fields?: Record<string, string>;
  readonly retryAfter?: number;
  readonly isForeign?: boolean;
  readonly hasUnknownKeys?: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    { field, fields, retryAfter, isForeign, hasUnknownKeys }: Details = {},
  ) {
    super(message);
    this.code = code;
    this.field = field;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.isForeign = isForeign;
    this.hasUnknownKeys = hasUnknownKeys;
  }

  get status() {
    return statuses[this.code];
  }
}

/** The body of every error response. */
export type ErrorBody = {
  error: {
    code: ErrorCode | "internal";
    message: string;
    field?: string;
    /** The messages of all inputs that were refused, by name, if there are several; `field` is the first. */
    fields?: Record<string, string>;
    /** Only of an internal error: identifies its log entry. */
    requestId?: string;
  };
};

export function errorBody({ code, message, field, fields }: AppError): ErrorBody {
  return { error: { code, message, field, fields } };
}
