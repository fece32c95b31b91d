import { Component, type ComponentChildren, createRef } from 'preact';
import type { Finding } from '#shared/flow-json/validate/findings.ts';

interface TextFieldProps {
  readonly text: string;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly change: (text: string) => void;
}

/** A field for a Flow JSON, with colours, the numbers of its lines, and marks at those with findings. Lines do not wrap. */
export class TextField extends Component<TextFieldProps> {
  readonly #field = createRef<HTMLTextAreaElement>();
  readonly #gutter = createRef<HTMLPreElement>();
  readonly #colours = createRef<HTMLPreElement>();

  readonly #scroll = () => {
    const { scrollTop = 0, scrollLeft = 0 } = this.#field.current ?? {};
    this.#gutter.current?.scrollTo(0, scrollTop);
    this.#colours.current?.scrollTo(scrollLeft, scrollTop);
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
    field.scrollIntoView({ block: 'nearest' });
  }

  override render({ text, errors, warnings, change }: TextFieldProps) {
    return (
      <div class="text-field">
        <pre ref={this.#gutter} class="gutter" aria-hidden="true">
          {gutterOf(text, errors, warnings)}
        </pre>
        <pre ref={this.#colours} class="colours" aria-hidden="true">
          {coloured(text, errors, warnings)}
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

/** A longer text has no colours, which would take too many elements. */
const longestColoured = 60_000;

const tokens = /("(?:[^"\\\n]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

/** The text with a colour for each kind of JSON token, and a tint behind lines with findings. */
function coloured(text: string, errors: readonly Finding[], warnings: readonly Finding[]): ComponentChildren {
  if (text.length > longestColoured) return text;
  const tints = new Map([
    ...warnings.map(({ line_start }) => [line_start, 'warn'] as const),
    ...errors.map(({ line_start }) => [line_start, 'bad'] as const),
  ]);
  return text.split('\n').map((line, i) => (
    <span class="line" data-tint={tints.get(i + 1)}>
      {tokensOf(line)}
      {'\n'}
    </span>
  ));
}

function tokensOf(line: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: whole, 1: quoted, 2: colon, index } of line.matchAll(tokens)) {
    const kind = quoted === undefined ? 'value' : colon === undefined ? 'text' : 'key';
    parts.push(line.slice(end, index), <span class={kind}>{quoted ?? whole}</span>, colon);
    end = index + whole.length;
  }
  return [...parts, line.slice(end)];
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
