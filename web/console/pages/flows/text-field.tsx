import { Component, createRef } from 'preact';
import type { Finding } from '#shared/flow-json/validate/findings.ts';

interface TextFieldProps {
  readonly text: string;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly change: (text: string) => void;
}

/** A field for a Flow JSON, with the numbers of its lines and marks at those with findings. Lines do not wrap. */
export class TextField extends Component<TextFieldProps> {
  readonly #field = createRef<HTMLTextAreaElement>();
  readonly #gutter = createRef<HTMLPreElement>();

  readonly #scroll = () => {
    if (this.#gutter.current && this.#field.current) this.#gutter.current.scrollTop = this.#field.current.scrollTop;
  };

  override componentDidUpdate() {
    this.#scroll();
  }

  /** Selects what a finding is about, and scrolls there. */
  select({ line_start, column_start, line_end, column_end }: Finding): void {
    const field = this.#field.current;
    if (field === null) return;
    const lines = field.value.split('\n');
    const offsetOf = (line: number, column: number) =>
      lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
    const start = offsetOf(line_start, column_start);
    // Without text after the cursor, the browser scrolls no further to the right than needed.
    field.setSelectionRange(start, start);
    field.blur();
    field.focus();
    field.setSelectionRange(start, offsetOf(line_end, column_end));
    field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line_start - 4);
    this.#scroll();
  }

  override render({ text, errors, warnings, change }: TextFieldProps) {
    return (
      <div class="text-field">
        <pre ref={this.#gutter} aria-hidden="true">
          {gutterOf(text, errors, warnings)}
        </pre>
        <textarea
          ref={this.#field}
          aria-label="Flow JSON"
          spellcheck={false}
          wrap="off"
          value={text}
          onInput={({ currentTarget }) => change(currentTarget.value)}
          onScroll={this.#scroll}
        />
      </div>
    );
  }
}

/** One text instead of an element for each line: there may be thousands. */
function gutterOf(text: string, errors: readonly Finding[], warnings: readonly Finding[]): string {
  const marks = new Map([
    ...warnings.map(({ line_start }) => [line_start, '▲'] as const),
    ...errors.map(({ line_start }) => [line_start, '✖'] as const),
  ]);
  return text
    .split('\n')
    .map((_, i) => `${marks.get(i + 1) ?? ' '} ${i + 1}`)
    .join('\n');
}
