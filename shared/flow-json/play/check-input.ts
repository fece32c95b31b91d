import { isObject, type JsonObject, listOf, own } from '#shared/base/json.ts';
import { dayMs } from '#shared/base/time.ts';
import { compilePattern, PatternError } from '#shared/flow-json/document/pattern.ts';
import { inputTypesWithPattern, isDay, weekdayOf } from '#shared/flow-json/document/values.ts';
import { numberOf, type VisibleComponent } from './resolve-values.ts';

/** Why a phone would reject a value. The `limit` that it breaks is a number, a day as `YYYY-MM-DD`, a file size, or file types. */
export interface InputFault {
  readonly code:
    | 'required'
    | 'too-short'
    | 'too-long'
    | 'not-a-number'
    | 'not-an-email'
    | 'not-a-phone-number'
    | 'not-digits'
    | 'pattern'
    | 'too-few'
    | 'too-many'
    | 'not-an-option'
    | 'not-a-date'
    | 'too-early'
    | 'too-late'
    | 'unavailable-date'
    | 'not-a-period'
    | 'too-few-days'
    | 'too-many-days'
    | 'file-too-large'
    | 'wrong-file-type';
  readonly limit?: number | string;
}

type Check = (properties: JsonObject, value: unknown) => InputFault | undefined;

const firstDate = '1900-01-01';
const lastDate = '2100-12-31';

const checksByType: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['TextInput', checkTextInput],
  ['TextArea', (properties, value) => checkLength(value, 0, maxOf(properties, 'max-length'))],
  ['CheckboxGroup', checkSelection],
  ['RadioButtonsGroup', checkSelection],
  ['ChipsSelector', checkSelection],
  ['Dropdown', checkSelection],
  ['DatePicker', checkDate],
  ['CalendarPicker', checkCalendar],
  ['PhotoPicker', (properties, value) => checkFiles(properties, value, 'photos')],
  ['DocumentPicker', (properties, value) => checkFiles(properties, value, 'documents')],
]);

/**
 * Checks a value as a phone does before it lets the user continue.
 * @param component as a phone shows it, with all its limits (see `asShown`)
 * @param value as the Flow holds it: dates as `YYYY-MM-DD`, files with `size` in bytes and `mime_type`
 */
export function checkInput({ type, properties }: VisibleComponent, value: unknown): InputFault | undefined {
  if (isEmpty(value)) return isRequired(type, properties) ? { code: 'required' } : undefined;
  return checksByType.get(type)?.(properties, value);
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return isEmpty(own(value, 'start-date')) && isEmpty(own(value, 'end-date'));
  return value === undefined || value === '' || value === false;
}

/** Files are required by their minimum number, a period by either of its dates. */
function isRequired(type: string, properties: JsonObject): boolean {
  const required = own(properties, 'required');
  if (type === 'PhotoPicker') return minOf(properties, 'min-uploaded-photos') > 0;
  if (type === 'DocumentPicker') return minOf(properties, 'min-uploaded-documents') > 0;
  return required === true || own(required, 'start-date') === true || own(required, 'end-date') === true;
}

function checkTextInput(properties: JsonObject, value: unknown): InputFault | undefined {
  return (
    checkLength(value, minOf(properties, 'min-chars'), maxOf(properties, 'max-chars')) ??
    checkInputType(properties, String(value)) ??
    checkPattern(properties, String(value))
  );
}

function checkLength(value: unknown, min: number, max: number): InputFault | undefined {
  const { length } = String(value);
  if (length < min) return { code: 'too-short', limit: min };
  return length > max ? { code: 'too-long', limit: max } : undefined;
}

function checkInputType(properties: JsonObject, text: string): InputFault | undefined {
  switch (own(properties, 'input-type')) {
    case 'number':
      return /^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? undefined : { code: 'not-a-number' };
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text) ? undefined : { code: 'not-an-email' };
    case 'phone':
      return /^\+?[\d\s().-]{3,25}$/.test(text) ? undefined : { code: 'not-a-phone-number' };
    case 'passcode':
      return /^\d+$/.test(text) ? undefined : { code: 'not-digits' };
  }
  return undefined;
}

/** A pattern that is not supported here accepts any text. */
function checkPattern(properties: JsonObject, text: string): InputFault | undefined {
  const pattern = own(properties, 'pattern');
  const type = own(properties, 'input-type') ?? 'text';
  if (typeof pattern !== 'string' || typeof type !== 'string' || !inputTypesWithPattern.includes(type))
    return undefined;
  try {
    return compilePattern(pattern).matches(text) ? undefined : { code: 'pattern' };
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function checkSelection(properties: JsonObject, value: unknown): InputFault | undefined {
  const ids = Array.isArray(value) ? value : [value];
  const min = minOf(properties, 'min-selected-items');
  const max = maxOf(properties, 'max-selected-items');
  const options = listOf(own(properties, 'data-source')).filter((option) => own(option, 'enabled') !== false);
  const optionIds = new Set(options.map((option) => own(option, 'id')));
  if (ids.some((id) => !optionIds.has(id))) return { code: 'not-an-option' };
  if (ids.length < min) return { code: 'too-few', limit: min };
  return ids.length > max ? { code: 'too-many', limit: max } : undefined;
}

function checkDate(properties: JsonObject, day: unknown): InputFault | undefined {
  if (!isDay(day)) return { code: 'not-a-date' };
  const [min, max] = [own(properties, 'min-date'), own(properties, 'max-date')];
  const first = isDay(min) ? min : firstDate;
  const last = isDay(max) ? max : lastDate;
  if (day < first) return { code: 'too-early', limit: first };
  if (day > last) return { code: 'too-late', limit: last };
  const isUnavailable = listOf(own(properties, 'unavailable-dates')).includes(day);
  return isUnavailable || !isIncluded(properties, day) ? { code: 'unavailable-date' } : undefined;
}

function checkCalendar(properties: JsonObject, value: unknown): InputFault | undefined {
  if (own(properties, 'mode') !== 'range') return checkDate(properties, value);
  const [from, to] = [own(value, 'start-date'), own(value, 'end-date')];
  if (typeof from !== 'string' || typeof to !== 'string') return { code: 'not-a-period' };
  return checkDate(properties, from) ?? checkDate(properties, to) ?? checkPeriod(properties, from, to);
}

/** Returns whether a CalendarPicker offers this day of the week. */
function isIncluded(properties: JsonObject, day: string): boolean {
  const days = own(properties, 'include-days');
  return !Array.isArray(days) || days.includes(weekdayOf(day));
}

/** The first and the last day both count. */
function checkPeriod(properties: JsonObject, from: string, to: string): InputFault | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const min = numberOf(properties, 'min-days') ?? 1;
  const max = maxOf(properties, 'max-days');
  if (days < 1) return { code: 'not-a-period' };
  if (days < min) return { code: 'too-few-days', limit: min };
  return days > max ? { code: 'too-many-days', limit: max } : undefined;
}

function checkFiles(properties: JsonObject, value: unknown, files: string): InputFault | undefined {
  const uploads = listOf(value);
  const min = minOf(properties, `min-uploaded-${files}`);
  const max = maxOf(properties, `max-uploaded-${files}`);
  const maxKilobytes = maxOf(properties, 'max-file-size-kb');
  const types = listOf(own(properties, 'allowed-mime-types'));
  if (uploads.length < min) return { code: 'too-few', limit: min };
  if (uploads.length > max) return { code: 'too-many', limit: max };
  if (uploads.some((file) => Number(own(file, 'size') ?? 0) > maxKilobytes * 1024)) {
    return { code: 'file-too-large', limit: fileSize(maxKilobytes) };
  }
  const isAllowed = (file: unknown) => types.length === 0 || types.includes(own(file, 'mime_type'));
  return uploads.every(isAllowed) ? undefined : { code: 'wrong-file-type', limit: types.join(', ') };
}

export const fileSize = (kilobytes: number): string =>
  kilobytes < 1024 ? `${kilobytes} KB` : `${Math.floor(kilobytes / 1024)} MB`;

function minOf(properties: JsonObject, name: string): number {
  return numberOf(properties, name) ?? 0;
}

function maxOf(properties: JsonObject, name: string): number {
  return numberOf(properties, name) ?? Number.POSITIVE_INFINITY;
}
