import { isNumber, type RawNumber } from '#shared/base/json/exact-json.ts';
import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';

/** An error in the flat form of notifications; the upstream nests the details and repeats the title. */
export interface NotificationError {
  readonly code: number | RawNumber;
  readonly title: string;
  readonly details?: string;
  readonly href?: string;
}

/** Converts the upstream's errors to the form of notifications and leaves out everything that is not an error. */
export function normaliseErrors(errors: readonly unknown[]): NotificationError[] {
  return errors.map(normaliseError).filter((error) => error !== undefined);
}

/** Returns `undefined` for anything that is not an object with a code. */
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

/** The upstream sends details as `error_data.details`, as `error_data` itself, or flat in older versions. */
function readDetails({ error_data, details }: JsonObject): string | undefined {
  return readText(isObject(error_data) ? error_data.details : error_data) ?? readText(details);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
