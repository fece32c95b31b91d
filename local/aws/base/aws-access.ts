import { AwsError } from './aws-error.ts';

/** Who wants to do what with what, in IAM's words. */
export interface Access {
  accessKeyId: string;
  /** For example `sqs:SendMessage`. */
  action: string;
  /** The resource's ARN. */
  resource: string;
  /** What IAM's conditions may ask about the request, by condition key, e.g. `dynamodb:LeadingKeys`. */
  context?: RequestContext;
}

export type RequestContext = Readonly<Record<string, readonly string[]>>;

/** Refuses an access by throwing; the error's message becomes the answer's. */
export type Authorize = (access: Access) => void;

/** The access key id of a Signature Version 4 `Authorization` header, empty when it has none. */
export function accessKeyIdOf(authorization: string | undefined): string {
  return /Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1] ?? '';
}

/** How a service answers a refused access: they differ in it. */
export interface AccessDenied {
  code: string;
  status: number;
}

/** Throws `denied` as an `AwsError` when `authorize` refuses. */
export function demandAccess(authorize: Authorize | undefined, access: Access, denied: AccessDenied): void {
  try {
    authorize?.(access);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new AwsError(denied.code, message, denied.status);
  }
}
