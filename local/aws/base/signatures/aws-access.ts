import { AwsError } from '../aws-error.ts';

/** One access in IAM's terms: who does which action with which resource. */
export interface Access {
  accessKeyId: string;
  /** For example `sqs:SendMessage`. */
  action: string;
  /** The resource's ARN. */
  resource: string;
  /** The values that IAM's conditions check, by condition key, for example `dynamodb:LeadingKeys`. */
  context?: RequestContext;
}

export type RequestContext = Readonly<Record<string, readonly string[]>>;

/** Throws to reject an access. The response carries the error's message. */
export type Authorize = (access: Access) => void;

/** The error code and status of a rejected access. Each service has its own. */
export interface AccessDenied {
  code: string;
  status: number;
}

/** Throws `denied` as an `AwsError` when `authorize` rejects the access. */
export function demandAccess(authorize: Authorize | undefined, access: Access, denied: AccessDenied): void {
  try {
    authorize?.(access);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new AwsError(denied.code, message, denied.status);
  }
}
