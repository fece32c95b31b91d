import { Component, type ComponentChildren, createRef } from 'preact';
import type { Say } from './say.ts';

interface SheetProps {
  readonly label: string;
  readonly say: Say;
  readonly close: () => void;
  readonly children: ComponentChildren;
  /** The class of the dialog beside its own. */
  readonly class?: string;
}

/** What slides over the lower part of the phone. Escape and a click elsewhere close it. */
export class Sheet extends Component<SheetProps> {
  readonly #dialog = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.#dialog.current?.showModal();
  }

  /** Returns the focus to the element that had it before. */
  override componentWillUnmount() {
    this.#dialog.current?.close();
  }

  override render({ label, say, close, children, class: name = '' }: SheetProps) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape.
      <dialog
        ref={this.#dialog}
        class={`bottom-sheet ${name}`}
        aria-label={label}
        closedby="any"
        onClose={close}
        // Safari does not know `closedby`. A click above the dialog is one on the dialog.
        onClick={({ target, currentTarget, offsetY }) =>
          target === currentTarget && offsetY < 0 && currentTarget.close()
        }
      >
        <b dir="auto" aria-live="polite">
          {label}
        </b>
        {children}
        <button type="button" onClick={() => this.#dialog.current?.close()}>
          {say('close')}
        </button>
      </dialog>
    );
  }
}
