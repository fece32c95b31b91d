import { adviceOn, codeOf } from '#shared/aws/failures.ts';
import { MalformedSecret } from '#shared/aws/versioned-secret.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { visibleLine } from '#shared/base/text.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse } from '#shared/operations/error-response.ts';
import { CannotCheck, Interrupted, Rejection, UsageError } from './errors.ts';

/** Says in one line what went wrong and what to do about it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Unexpected failure: ${oneLine(String(error))}`;
  if (error instanceof CannotCheck) return describeFailure(error.cause);
  if (error instanceof ServiceError) return errorResponse(error, 'en', errorCatalogue).body.message;
  const message = oneLine(error.message);
  if ([UsageError, Rejection, Interrupted, MalformedSecret].some((kind) => error instanceof kind)) return message;
  if (error instanceof UpstreamError) return `The WhatsApp Cloud API returned an error: ${asSentence(message)}`;
  const advice = ownAdvice[codeOf(error)] ?? adviceOn(error);
  const details = message + causeOf(error) + requestIdOf(error);
  return advice === undefined ? `Unexpected failure: ${error.name}: ${details}` : `${advice} (${details})`;
}

/** What `fetch` throws only says that it failed. */
function causeOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return '';
  return ` (${oneLine(cause.message) || codeOf(cause)})`;
}

/** AWS's support asks for the id of the request. */
function requestIdOf(error: Error & { $metadata?: { requestId?: string } }): string {
  const id = error.$metadata?.requestId;
  return id === undefined ? '' : `; AWS request id: ${id}`;
}

/** A message of the platform, which may lack its full stop, in front of another sentence. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const oneLine = (text: string) => visibleLine(text.replace(/\s+/g, ' ').trim());

/** What errors mean to the commands in particular. */
const ownAdvice: Readonly<Record<string, string>> = {
  ResourceNotFoundException:
    'There is no such table, or secret, in this account and region. Check --table, --stage and AWS_REGION.',
  ECONNREFUSED:
    'The connection was refused: is the world (npm start, or ./messaging start --live), or your proxy, running?',
  TimeoutError:
    'No response came in time. Try again. If it happens again, check the network and AWS_REGION, or whether the local world is busy.',
};
