import { Component, createRef } from 'preact';
import { sendJson } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';

/** Begins the whole world anew. The dialog gives the focus back. */
export class World extends Component {
  readonly #dialog = createRef<HTMLDialogElement>();

  readonly #reset = async () => {
    await sendJson('DELETE', '/console/world');
    this.#dialog.current?.close();
  };

  override render() {
    return (
      <section class="card world" aria-labelledby="world">
        <h2 id="world">The whole world</h2>
        <p>
          A reset deletes everything here, and starts over with the seeded workspaces and numbers, as{' '}
          <code>./messaging start --fresh</code> does.
        </p>
        <div class="row">
          <button type="button" onClick={() => this.#dialog.current?.showModal()}>
            Reset …
          </button>
        </div>
        <dialog class="confirm" ref={this.#dialog} aria-label="Delete everything?">
          <h2>Delete everything?</h2>
          <p>All Flows, messages, contacts and deliveries of this world are deleted.</p>
          <div class="row">
            <ActionButton kind="danger" act={this.#reset}>
              Delete everything
            </ActionButton>
            <button type="button" onClick={() => this.#dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </dialog>
      </section>
    );
  }
}
