import { isNumber, type RawNumber } from '#shared/base/json/exact-json.ts';
import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';

/** An error as notifications carry it, flat; the upstream nests the details and says the title twice. */
export interface NotificationError {
  readonly code: number | RawNumber;
  readonly title: string;
  readonly details?: string;
  readonly href?: string;
}

/** The upstream's errors in the form of a notification; what is no error is left out. */
export function normaliseErrors(errors: readonly unknown[]): NotificationError[] {
  return errors.map(normaliseError).filter((error) => error !== undefined);
}

/** Undefined when it is no object with a code. */
export function normaliseError(error: unknown): NotificationError | undefined {
  if (!isObject(error)) return undefined;
  const code = readCode(error.code);
  if (code === undefined) return undefined;
  const details = readDetails(error);
  const href = readText(error.href);
  return {
    code,
    title: readText(error.title) ?? readText(error.message) ?? 'Unknown error',
    ...(details !== undefined && { details }),
    ...(href !== undefined && { href }),
  };
}

function readCode(code: unknown): number | RawNumber | undefined {
  if (typeof code === 'string' && /^\d{1,9}$/.test(code)) return Number(code);
  return isNumber(code) ? code : undefined;
}

/** Seen as `error_data.details`, as `error_data` itself, and flat in older versions. */
function readDetails({ error_data, details }: JsonObject): string | undefined {
  return readText(isObject(error_data) ? error_data.details : error_data) ?? readText(details);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
