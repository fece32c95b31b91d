import { Component, createRef } from 'preact';
import { sendJson } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ActionSelect } from '../../parts/action-select.tsx';
import { Badge, Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';

/** How the platform treats people and Flows. */
export function Switches({ snapshot: { population, flows } }: { snapshot: Snapshot }) {
  const published = [...flows.values()].filter(({ status }) => status !== 'DRAFT');
  return (
    <section class="card">
      <h2>People and Flows</h2>
      <ActionSelect
        label="What businesses see of people"
        value={population.ids}
        options={populations}
        act={(ids) => sendJson('PUT', '/simulator/population', { ids })}
      />
      <h3>Status of published Flows</h3>
      {published.length === 0 && (
        <Empty>
          <a href="#/flows">Publish a Flow</a>. Then you can throttle, block or deprecate it here.
        </Empty>
      )}
      {published.map(({ id, name, status }) =>
        status === 'DEPRECATED' ? (
          <p key={id}>
            {name} <Badge>deprecated for good</Badge>
          </p>
        ) : (
          <FlowStatus key={id} id={id} name={name} status={status} />
        ),
      )}
    </section>
  );
}

const populations = {
  phone_numbers: 'their phone number',
  both: 'number and username',
  user_ids: 'only a username',
};

const flowStatuses = { PUBLISHED: 'published', THROTTLED: 'throttled', BLOCKED: 'blocked', DEPRECATED: 'deprecated' };

interface FlowStatusProps {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** The arrow keys choose at once, so the page asks before the status that stays for good. */
class FlowStatus extends Component<FlowStatusProps> {
  readonly #confirm = createRef<HTMLDialogElement>();

  readonly #close = () => this.#confirm.current?.close();
  readonly #set = (status: string) => sendJson('POST', `/simulator/flows/${this.props.id}/status`, { status });

  readonly #choose = async (chosen: string) => {
    if (chosen !== 'DEPRECATED') return this.#set(chosen);
    this.#confirm.current?.showModal();
    return false;
  };

  override render({ name, status }: FlowStatusProps) {
    return (
      <>
        <ActionSelect label={name} value={status} options={flowStatuses} act={this.#choose} />
        <dialog class="confirm" ref={this.#confirm} aria-label={`Deprecate ${name}?`}>
          <h2>Deprecate this Flow?</h2>
          <p>{name} stays deprecated for good: it can be neither sent nor published again.</p>
          <div class="row">
            <ActionButton kind="danger" act={() => this.#set('DEPRECATED').then(this.#close)}>
              Deprecate
            </ActionButton>
            <button type="button" onClick={this.#close}>
              Cancel
            </button>
          </div>
        </dialog>
      </>
    );
  }
}
