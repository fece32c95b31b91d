import { CopyButton } from './copy-button.tsx';
import type { Say } from './say.ts';

/** JSON to read, cut where nobody would read on, and to copy whole. */
export function Code({ value, say }: { value: unknown; say: Say }) {
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
