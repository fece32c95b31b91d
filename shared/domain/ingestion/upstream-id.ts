import { isNumber, numberText, toDouble } from '#shared/base/json/exact-json.ts';
import { isText } from '#shared/base/json/json-object.ts';

/** Reads an id of the upstream, which writes ids as text and occasionally as numbers; `undefined` if it is neither. */
export function idOf(value: unknown): string | undefined {
  if (isNumber(value)) return idText(toDouble(value), numberText(value));
  return isText(value) ? value : undefined;
}

/** A number's digits in any notation. Beyond 2^53, only the digits of a plain integer are exact. */
function idText(value: number, written: string): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return /^\d+$/.test(written) ? written : undefined;
}
