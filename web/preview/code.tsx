import { Component } from 'preact';
import { CopyButton } from './copy-button.tsx';
import type { Say } from './say.ts';

interface CodeProps {
  readonly value: unknown;
  readonly say: Say;
}

/** Shows the beginning of a JSON, and lets the user copy all of it. */
export class Code extends Component<CodeProps> {
  /** The JSON may be long, so it is not formatted again at each keystroke. */
  override shouldComponentUpdate({ value }: CodeProps) {
    return value !== this.props.value;
  }

  override render({ value, say }: CodeProps) {
    const text = JSON.stringify(value, null, 2) ?? '';
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
        <pre tabIndex={0} dir="ltr">
          {text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text}
        </pre>
        <CopyButton text={text} label={say('copy')} done={say('copied')} />
      </>
    );
  }
}
