import { Component, createRef } from 'preact';
import type { Call } from '#local/console/console-values.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { AnswerButtons } from './current-call.tsx';
import { businessName, numberName, personName } from './names.ts';

interface RingProps {
  readonly call: Call;
  readonly snapshot: Snapshot;
  /** The call keeps ringing in the bar. */
  readonly ignore: () => void;
}

/** A call of the business that rings, above whatever the page shows. */
export class Ring extends Component<RingProps> {
  readonly #dialog = createRef<HTMLDialogElement>();

  override componentDidMount() {
    this.#dialog.current?.showModal();
    // Not a button, so that a key that somebody is about to press answers nothing.
    this.#dialog.current?.focus();
  }

  /** The focus goes back to where it was. */
  override componentWillUnmount() {
    this.#dialog.current?.close();
  }

  override render({ call, snapshot, ignore }: RingProps) {
    const { phone_number_id, contact } = call;
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it has the focus first.
      <dialog class="confirm ring" ref={this.#dialog} tabIndex={0} aria-labelledby="ring" onClose={ignore}>
        <Icon name="call" />
        <div role="alert">
          <h2 id="ring">Incoming call from {businessName(phone_number_id, snapshot)}</h2>
          <p>
            {numberName(phone_number_id, snapshot)} calls {personName(contact, snapshot)}.
          </p>
        </div>
        <AnswerButtons id={call.id} />
        <p class="dim">Escape hides this. The call keeps ringing above the page.</p>
      </dialog>
    );
  }
}
