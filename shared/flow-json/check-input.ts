import { isDate } from './dates.ts';
import { isObject, type JsonObject, listOf, own } from './json.ts';
import { compilePattern, PatternError } from './pattern.ts';
import type { VisibleComponent } from './resolve.ts';

/** Why a phone would not let a value pass; `limit` is the number or date that it breaks. */
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
    | 'file-too-large';
  readonly limit?: number | string;
}

type Check = (properties: JsonObject, value: unknown) => InputFault | undefined;

const MAX_CHARS = { TextInput: 80, TextArea: 600 };
const FIRST_DATE = '1900-01-01';
const LAST_DATE = '2100-12-31';
const MAX_FILE_SIZE_KB = 25_600;
const DAY_MS = 24 * 60 * 60 * 1000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const TYPES_WITH_PATTERN = ['text', 'number', 'password', 'passcode'];

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['TextInput', checkTextInput],
  ['TextArea', (properties, value) => checkLength(value, 0, numberOf(properties, 'max-length') ?? MAX_CHARS.TextArea)],
  ['CheckboxGroup', checkSelection],
  ['RadioButtonsGroup', checkSelection],
  ['ChipsSelector', checkSelection],
  ['Dropdown', checkSelection],
  ['DatePicker', checkDate],
  ['CalendarPicker', checkCalendar],
  ['PhotoPicker', (properties, value) => checkFiles(properties, value, 'photos')],
  ['DocumentPicker', (properties, value) => checkFiles(properties, value, 'documents')],
]);

/** Checks a value as a phone does before it lets a user go on. */
export function checkInput({ type, properties }: VisibleComponent, value: unknown): InputFault | undefined {
  if (isEmpty(value)) return isRequired(type, properties) ? { code: 'required' } : undefined;
  return CHECKS.get(type)?.(properties, value);
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return isEmpty(own(value, 'start-date')) && isEmpty(own(value, 'end-date'));
  return value === undefined || value === '' || value === false;
}

/** Files are asked for by their least number, a period by either of its dates. */
function isRequired(type: string, properties: JsonObject): boolean {
  const required = own(properties, 'required');
  if (type === 'PhotoPicker') return (numberOf(properties, 'min-uploaded-photos') ?? 0) > 0;
  if (type === 'DocumentPicker') return (numberOf(properties, 'min-uploaded-documents') ?? 0) > 0;
  return required === true || own(required, 'start-date') === true || own(required, 'end-date') === true;
}

function checkTextInput(properties: JsonObject, value: unknown): InputFault | undefined {
  const max = numberOf(properties, 'max-chars') ?? MAX_CHARS.TextInput;
  return (
    checkLength(value, numberOf(properties, 'min-chars') ?? 0, max) ??
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

/** A pattern that cannot be followed here lets everything pass. */
function checkPattern(properties: JsonObject, text: string): InputFault | undefined {
  const pattern = own(properties, 'pattern');
  const type = own(properties, 'input-type') ?? 'text';
  if (typeof pattern !== 'string' || typeof type !== 'string' || !TYPES_WITH_PATTERN.includes(type)) return undefined;
  try {
    return compilePattern(pattern).matches(text) ? undefined : { code: 'pattern' };
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function checkSelection(properties: JsonObject, value: unknown): InputFault | undefined {
  const ids = Array.isArray(value) ? value : [value];
  const min = numberOf(properties, 'min-selected-items') ?? 0;
  const max = numberOf(properties, 'max-selected-items') ?? Number.POSITIVE_INFINITY;
  const options = listOf(own(properties, 'data-source')).filter((option) => own(option, 'enabled') !== false);
  const known = new Set(options.map((option) => own(option, 'id')));
  if (ids.some((id) => !known.has(id))) return { code: 'not-an-option' };
  if (ids.length < min) return { code: 'too-few', limit: min };
  return ids.length > max ? { code: 'too-many', limit: max } : undefined;
}

function checkDate(properties: JsonObject, value: unknown): InputFault | undefined {
  if (typeof value !== 'string' || !isDate(value)) return { code: 'not-a-date' };
  const min = dateOf(properties, 'min-date') ?? FIRST_DATE;
  const max = dateOf(properties, 'max-date') ?? LAST_DATE;
  if (value < min) return { code: 'too-early', limit: min };
  if (value > max) return { code: 'too-late', limit: max };
  const isUnavailable = listOf(own(properties, 'unavailable-dates')).includes(value);
  return isUnavailable ? { code: 'unavailable-date' } : undefined;
}

function checkCalendar(properties: JsonObject, value: unknown): InputFault | undefined {
  if (own(properties, 'mode') !== 'range') return checkDate(properties, value) ?? checkWeekday(properties, value);
  const [from, to] = [own(value, 'start-date'), own(value, 'end-date')];
  if (typeof from !== 'string' || typeof to !== 'string') return { code: 'not-a-period' };
  return (
    checkDate(properties, from) ??
    checkDate(properties, to) ??
    checkWeekday(properties, from) ??
    checkWeekday(properties, to) ??
    checkPeriod(properties, from, to)
  );
}

function checkWeekday(properties: JsonObject, value: unknown): InputFault | undefined {
  const days = own(properties, 'include-days');
  const day = WEEKDAYS[new Date(String(value)).getUTCDay()];
  return Array.isArray(days) && !days.includes(day) ? { code: 'unavailable-date' } : undefined;
}

/** Both ends count. */
function checkPeriod(properties: JsonObject, from: string, to: string): InputFault | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const min = numberOf(properties, 'min-days') ?? 1;
  const max = numberOf(properties, 'max-days') ?? Number.POSITIVE_INFINITY;
  if (days < 1) return { code: 'not-a-period' };
  if (days < min) return { code: 'too-few-days', limit: min };
  return days > max ? { code: 'too-many-days', limit: max } : undefined;
}

/** @param value files as the browser has them: `size` in bytes */
function checkFiles(properties: JsonObject, value: unknown, files: string): InputFault | undefined {
  const uploads = listOf(value);
  const min = numberOf(properties, `min-uploaded-${files}`) ?? 0;
  const max = numberOf(properties, `max-uploaded-${files}`) ?? Number.POSITIVE_INFINITY;
  const maxKilobytes = numberOf(properties, 'max-file-size-kb') ?? MAX_FILE_SIZE_KB;
  if (uploads.length < min) return { code: 'too-few', limit: min };
  if (uploads.length > max) return { code: 'too-many', limit: max };
  const isTooLarge = uploads.some((file) => Number(own(file, 'size') ?? 0) > maxKilobytes * 1024);
  return isTooLarge ? { code: 'file-too-large', limit: maxKilobytes } : undefined;
}

/** Older Flows write numbers as text. */
function numberOf(properties: JsonObject, name: string): number | undefined {
  const value = own(properties, name);
  if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A limit as a date; until version 4.0 it was milliseconds since the epoch, as text. */
function dateOf(properties: JsonObject, name: string): string | undefined {
  const value = own(properties, name);
  if (typeof value !== 'string' || value === '') return undefined;
  if (isDate(value)) return value;
  const date = new Date(Number(value));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
