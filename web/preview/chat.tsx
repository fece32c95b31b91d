import type { Say } from './say.ts';

interface ChatProps {
  readonly say: Say;
  /** The name of the Flow, or what else stands for the text of the message. */
  readonly text: string;
  readonly open: () => void;
  /** Whether the Flow covers it. */
  readonly isBehind?: boolean;
}

const openedAt = new Date().toLocaleTimeString('en-GB').slice(0, 5);

/** The message that sends the Flow, with the button that opens it. */
export function Chat({ say, text, open, isBehind = false }: ChatProps) {
  const name = say('business');
  const parts = (
    <>
      <header>
        <span class="avatar" aria-hidden="true">
          {name[0]}
        </span>
        <b>{name}</b>
      </header>
      <div class="bubble">
        <p dir="auto">{text}</p>
        <small class="at">{openedAt}</small>
        <button type="button" onClick={open}>
          {say('open')}
        </button>
      </div>
    </>
  );
  if (!isBehind) return <main class="phone chat">{parts}</main>;
  return (
    <div class="chat" inert>
      {parts}
    </div>
  );
}

/** The focus goes to what has taken the place of the pressed button. */
export const focusOn = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
