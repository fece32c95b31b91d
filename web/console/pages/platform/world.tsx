import { Component, type ComponentChildren, createRef } from 'preact';
import { sendJson, sendText } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';

interface WorldState {
  file?: File;
}

/** Begins the whole world anew, or with what somebody has exported. */
export class World extends Component<{ notice: string | null }, WorldState> {
  override state: WorldState = {};

  override render({ notice }: { notice: string | null }, { file }: WorldState) {
    return (
      <section class="card world" aria-labelledby="world">
        <h2 id="world">The whole world</h2>
        {notice !== null && (
          <p class="fault" role="alert">
            {notice}
          </p>
        )}
        <div class="columns">
          <div>
            <h3>Reset</h3>
            <p>
              Deletes everything here, and starts over with the seeded workspaces and numbers, as{' '}
              <code>npm start -- --fresh</code> does.
            </p>
            <div class="row">
              <Asked open="Reset …" question="Delete everything?" yes="Delete everything" act={reset}>
                All Flows, messages, contacts and deliveries of this world are deleted.
              </Asked>
            </div>
          </div>
          <div>
            <h3>Export</h3>
            <p>
              A file for a bug report: Flows, messages, calls, contacts, deliveries and files as they are. Names, phone
              numbers and texts that you typed are in it. Tokens, secrets and keys are not.
            </p>
            <div class="row">
              <ActionButton act={exportWorld}>Export</ActionButton>
            </div>
          </div>
          <div>
            <h3>Import</h3>
            <p>
              Replaces everything here with the content of such a file. A damaged file changes nothing. Its webhooks are
              paused until you resume them on the Inspector page.
            </p>
            <div class="row">
              <label>
                Exported world
                <input
                  type="file"
                  accept=".json,application/json"
                  onChange={({ currentTarget: { files } }) => {
                    const [chosen] = files ?? [];
                    if (chosen) this.setState({ file: chosen });
                  }}
                />
              </label>
              <Asked
                open="Import …"
                question="Replace everything?"
                yes="Replace everything"
                disabled={!file}
                act={async () => file && sendText('PUT', '/console/world', file)}
              >
                All Flows, messages, contacts and deliveries of this world are deleted. Import only a file whose sender
                you trust.
              </Asked>
            </div>
          </div>
        </div>
      </section>
    );
  }
}

const reset = () => sendJson('DELETE', '/console/world');

async function exportWorld(): Promise<void> {
  // A link would keep what the console says if it cannot export the world as a file.
  const url = URL.createObjectURL(new Blob([await sendText('GET', '/console/world')], { type: 'application/json' }));
  const download = `local-world-${new Date().toISOString().slice(0, 10)}.json`;
  Object.assign(document.createElement('a'), { href: url, download }).click();
  URL.revokeObjectURL(url);
}

interface AskedProps {
  /** The button that asks the question. */
  readonly open: string;
  readonly question: string;
  readonly yes: string;
  readonly disabled?: boolean;
  readonly act: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A button that asks before it acts. The dialog gives the focus back. */
class Asked extends Component<AskedProps> {
  readonly #dialog = createRef<HTMLDialogElement>();

  readonly #act = async () => {
    await this.props.act();
    this.#dialog.current?.close();
  };

  override render({ open, question, yes, disabled = false, children }: AskedProps) {
    return (
      <>
        <button type="button" disabled={disabled} onClick={() => this.#dialog.current?.showModal()}>
          {open}
        </button>
        <dialog class="confirm" ref={this.#dialog} aria-label={question}>
          <h2>{question}</h2>
          <p>{children}</p>
          <div class="row">
            <ActionButton kind="danger" act={this.#act}>
              {yes}
            </ActionButton>
            <button type="button" onClick={() => this.#dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </dialog>
      </>
    );
  }
}
