import type { Say } from './say.ts';

interface ChatProps {
  readonly say: Say;
  /** The name of the Flow, or what else stands for the text of the message. */
  readonly text: string;
  readonly open: () => void;
}

/** The message that sends the Flow, with the button that opens it. */
export const Chat = ({ say, text, open }: ChatProps) => (
  <main class="phone chat">
    <div class="bubble">
      <p dir="auto">{text}</p>
      <button type="button" onClick={open}>
        {say('open')}
      </button>
    </div>
  </main>
);

/** The focus goes to what has taken the place of the pressed button. */
export const focusOn = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
