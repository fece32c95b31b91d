import { lineIndex, type Span } from './json-source.ts';

/** Where in a document a finding stands; `path` as in `screens[0].id`, empty for the document itself. */
export interface Place extends Span {
  readonly path: string;
}

/** Lines and columns of the checked text, counted from 1; `column_end` is the column after the last character. */
export interface Position {
  readonly line_start: number;
  readonly line_end: number;
  readonly column_start: number;
  readonly column_end: number;
}

/** What is wrong and where, as Graph writes an item of `validation_errors` (Meta's page "Flows API"). */
export interface Finding extends Position {
  readonly error: FindingCode;
  readonly error_type: 'FLOW_JSON_ERROR';
  readonly message: string;
  readonly pointers?: readonly (Position & { readonly path: string })[];
}

export interface Findings {
  /** What keeps the upstream from publishing the Flow. */
  readonly errors: readonly Finding[];
  /** What the upstream accepts and phones may show otherwise than meant. */
  readonly warnings: readonly Finding[];
}

/** The upstream's codes (Meta's page "Error codes"), and at the end three of ours that only warnings bear. */
export type FindingCode =
  | 'INVALID_FLOW_JSON'
  | 'MISSING_FLOW_JSON_VERSION'
  | 'INVALID_FLOW_JSON_VERSION'
  | 'UNSUPPORTED_FLOW_JSON_VERSION'
  | 'UNAVAILABLE_FLOW_JSON_VERSION'
  | 'INVALID_FLOW_JSON_VERSION_STATE'
  | 'INVALID_DATA_API_VERSION'
  | 'INVALID_PROPERTY_KEY'
  | 'INVALID_PROPERTY_VALUE'
  | 'INVALID_PROPERTY_VALUE_FORMAT'
  | 'INVALID_PROPERTY_TYPE'
  | 'MISSING_REQUIRED_PROPERTY'
  | 'MISSING_REQUIRED_TYPE_PROPERTY'
  | 'MIN_ITEMS_REQUIRED'
  | 'MAX_ITEMS_REQUIRED'
  | 'MIN_CHARS_REQUIRED'
  | 'MINIMUM_VALUE_REQUIRED'
  | 'MAXIMUM_VALUE_REQUIRED'
  | 'PATTERN_MISMATCH'
  | 'PROPERTY_NAME_MISMATCH'
  | 'INVALID_ENUM_VALUE'
  | 'INVALID_DEPENDENCIES'
  | 'NOT_KEYWORD_SCHEMA_VALIDATION_FAILED'
  | 'INVALID_ROUTING_MODEL'
  | 'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME'
  | 'INVALID_NAVIGATE_ACTION_PAYLOAD'
  | 'MISSING_NAVIGATION_ACTION_PAYLOAD'
  | 'INVALID_NAVIGATE_ACTION_STATIC_DATA'
  | 'INVALID_COMPLETE_ACTION'
  | 'INVALID_ON_CLICK_ACTION_PAYLOAD'
  | 'INVALID_FOOTER_PAYLOAD_OUTSIDE_FORM'
  | 'INVALID_UPDATE_DATA_ACTION_PAYLOAD'
  | 'INVALID_ACTION_PAYLOAD_PROPERTY'
  | 'INVALID_SCREEN_DATA'
  | 'INVALID_SCREEN_DYNAMIC_DATA'
  | 'INVALID_TEXT_DYNAMIC_DATA'
  | 'SCREEN_ID_IS_RESERVED_KEYWORD'
  | 'DUPLICATE_SCREEN_IDS'
  | 'MAX_SCREENS_NUMBER'
  | 'MISSING_TERMINAL_SCREEN'
  | 'MISSING_FOOTER_ON_TERMINAL_SCREEN'
  | 'DUPLICATE_FORM_COMPONENT_NAMES'
  | 'COMPONENTS_OUTSIDE_FORM'
  | 'MAX_ALLOWED_COMPONENTS_PER_SCREEN'
  | 'COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN'
  | 'MORE_THAN_ONE_FOOTER'
  | 'INVALID_COMPONENT_PLACEMENT'
  | 'INVALID_RICHTEXT_PLACEMENT'
  | 'MISSING_FOOTER_IN_IF_ELSE_BRANCHES'
  | 'MISSING_FOOTER_IN_SWITCH_BRANCHES'
  | 'MAXIMUM_IF_NESTING'
  | 'EMPTY_SWITCH_CASES'
  | 'MIN_VALUE_GREATER_THAN_MAX'
  | 'DATA_SOURCE_ITEMS_HAVE_BOTH_IMAGE_AND_COLOR'
  | 'NATIVE_COMPONENT_IN_FORM_INIT_VALUES'
  | 'INVALID_DATE_RANGE'
  | 'INVALID_MIN_MAX_DAYS'
  | 'INVALID_DATE_SINGLE_INIT_VALUE_FORMAT'
  | 'MISSING_CALENDAR_PICKER_RANGE_MODE_PROP'
  | 'UNEXPECTED_CALENDAR_PICKER_RANGE_MODE_PROP'
  | 'INVALID_SENSITIVE_FIELD'
  | 'TEXT_TOO_LONG'
  | 'UNCHECKED_PATTERN'
  | 'UNDOCUMENTED';

/** A text with more faults than this is not read to its end by anyone. */
const MAX_FINDINGS = 500;
const MAX_QUOTED_CHARS = 100;

/** Collects what the rules find, and says where in the text it stands. */
export class Report {
  readonly #errors: Finding[] = [];
  readonly #warnings: Finding[] = [];
  readonly #text: string;
  #positionAt: ReturnType<typeof lineIndex> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get findings(): Findings {
    return { errors: this.#errors, warnings: this.#warnings };
  }

  error(code: FindingCode, message: string, place: Place): void {
    this.#add(this.#errors, code, message, place);
  }

  warning(code: FindingCode, message: string, place: Place): void {
    this.#add(this.#warnings, code, message, place);
  }

  #add(findings: Finding[], error: FindingCode, message: string, place: Place): void {
    if (findings.length >= MAX_FINDINGS) return;
    const position = this.#positionOf(place);
    const pointers = place.path === '' ? undefined : [{ ...position, path: place.path }];
    findings.push({ error, error_type: 'FLOW_JSON_ERROR', message, ...position, ...(pointers && { pointers }) });
  }

  #positionOf(span: Span): Position {
    this.#positionAt ??= lineIndex(this.#text);
    const start = this.#positionAt(span.start);
    const end = this.#positionAt(span.end);
    return { line_start: start.line, line_end: end.line, column_start: start.column, column_end: end.column };
  }
}

/** Text of the author as a message repeats it: never at any length. */
export function excerpt(text: string): string {
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
}

/** `[A, B]`, as the upstream's messages list names. */
export function listed(names: Iterable<string>): string {
  return `[${excerpt([...names].join(', '))}]`;
}
