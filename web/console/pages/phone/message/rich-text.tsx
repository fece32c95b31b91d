import type { ComponentChildren } from 'preact';

/** Marks around words, as people type them, and links. The longest mark comes first. */
const marked = /```([^`]+)```|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])|(?<!\w)([*_~])(\S(?:[^\n]*?\S)?)\3(?!\w)/g;

/** A few emojis and nothing else. */
const emojis = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f){1,9}$/u;

const elements = { '*': 'b', _: 'i', '~': 's' } as const;

/** A text with bold, italic, struck and fixed-width words, and with links. Its direction is that of its first letter. */
export function RichText({ text }: { text: string }) {
  return text === '' ? undefined : (
    <p class={emojis.test(text) ? 'body emojis' : 'body'} dir="auto">
      {formatted(text)}
    </p>
  );
}

function formatted(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: whole, 1: code, 2: link, 3: mark, 4: inner = '', index } of text.matchAll(marked)) {
    parts.push(text.slice(end, index));
    end = index + whole.length;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (link !== undefined) parts.push(<Link url={link}>{link}</Link>);
    else if (mark !== undefined) {
      const Element = elements[mark as keyof typeof elements];
      parts.push(<Element>{formatted(inner)}</Element>);
    }
  }
  return [...parts, text.slice(end)];
}

/** A link out of the console. Anything but the web and phone numbers stays a text. */
export function Link({ url, children }: { url: string; children: ComponentChildren }) {
  if (!/^(https?|tel):/i.test(url)) return <span>{children}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
