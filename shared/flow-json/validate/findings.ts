import { shorten } from '#shared/base/text.ts';
import { lineIndex, type Span } from './parse-with-positions.ts';

/** The place of a finding in a document; `path` as in `screens[0].id`, empty for the document itself. */
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

/** A fault and its place, in the form of Graph's `validation_errors` (Meta's page "Flows API"). */
export interface Finding extends Position {
  /** The platform's code (Meta's page "Error codes"), or one of our own for a warning that the platform does not have. */
  readonly error: string;
  readonly error_type: 'FLOW_JSON_ERROR';
  readonly message: string;
  readonly pointers?: readonly (Position & { readonly path: string })[];
}

export interface Findings {
  /** Faults that prevent publishing. */
  readonly errors: readonly Finding[];
  /** Faults that the upstream accepts, but that phones may not show as intended. */
  readonly warnings: readonly Finding[];
}

/** Nobody reads a longer list to its end. */
const maxFindings = 500;
const maxQuotedChars = 100;

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

  error(code: string, message: string, place: Place): void {
    this.#add(this.#errors, code, message, place);
  }

  warning(code: string, message: string, place: Place): void {
    this.#add(this.#warnings, code, message, place);
  }

  #add(findings: Finding[], error: string, message: string, place: Place): void {
    if (findings.length >= maxFindings) return;
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

/** Shortens an author's text for use in a message. */
export const excerpt = (text: string): string => shorten(text, maxQuotedChars);

/** Lists names as the upstream's messages do: `[A, B]`. */
export function listed(names: Iterable<string>): string {
  return `[${excerpt([...names].join(', '))}]`;
}
