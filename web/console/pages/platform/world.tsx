import { Component } from 'preact';
import { sendJson, sendText } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';

interface WorldState {
  /** Whether the page asks if it may delete everything. */
  isAsking: boolean;
  file?: File;
}

/** Begins the whole world anew, or with what somebody has exported. */
export class World extends Component<{ notice: string | null }, WorldState> {
  override state: WorldState = { isAsking: false };

  override render({ notice }: { notice: string | null }, { isAsking, file }: WorldState) {
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
              Deletes everything here, and begins with the seeded workspaces and numbers, as{' '}
              <code>npm start -- --fresh</code> does.
            </p>
            <div class="row">
              {isAsking ? (
                <>
                  <ActionButton kind="danger" act={() => sendJson('DELETE', '/console/world')}>
                    Delete everything
                  </ActionButton>
                  <button type="button" onClick={() => this.setState({ isAsking: false })}>
                    Keep it
                  </button>
                </>
              ) : (
                <button type="button" onClick={() => this.setState({ isAsking: true })}>
                  Reset …
                </button>
              )}
            </div>
          </div>
          <div>
            <h3>Export</h3>
            <p>
              A file for a bug report: Flows, messages, calls, contacts, deliveries and files as they are. Names, phone
              numbers and texts that you typed are in it. Tokens, secrets and keys are not.
            </p>
            <div class="row">
              <a class="button" href="/console/world" download>
                Export
              </a>
            </div>
          </div>
          <div>
            <h3>Import</h3>
            <p>Replaces everything here with the content of such a file. A damaged file changes nothing.</p>
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
              <ActionButton disabled={!file} act={async () => file && sendText('PUT', '/console/world', file)}>
                Import
              </ActionButton>
            </div>
          </div>
        </div>
      </section>
    );
  }
}
