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

/** What slides over the lower part of the phone. The browser closes it on Escape and on a click elsewhere. */
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
      <dialog ref={this.#dialog} class={`bottom-sheet ${name}`} aria-label={label} closedby="any" onClose={close}>
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
