import { Component } from 'preact';
import { messageOf } from '../../http.ts';
import type { PageProps } from '../../page-view.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/text.tsx';
import { createExample, type FlowSummary, listFlows } from './flow-api.ts';
import { OpenFlow } from './open-flow.tsx';
import { StatusOfFlow } from './status-of-flow.tsx';

interface Listed extends FlowSummary {
  readonly workspace: string;
}

interface FlowsState {
  flows?: readonly Listed[];
  fault?: string | undefined;
}

/** The Flows of all workspaces that have a business account, and an editor for one of them. */
export class Flows extends Component<PageProps, FlowsState> {
  override state: FlowsState = {};
  #reading: Promise<void> | undefined;
  #isStale = false;

  override componentDidMount() {
    this.#read();
  }

  override componentDidUpdate({ snapshot }: PageProps) {
    if (snapshot['stored-flows'] !== this.props.snapshot['stored-flows']) this.#read();
  }

  /** One reading at a time, so that none overtakes a later one. */
  #read(): void {
    this.#isStale = true;
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
  }

  async #readUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        this.setState({ flows: await this.#list(), fault: undefined });
      } catch (error) {
        this.setState({ fault: messageOf(error) });
      }
    }
  }

  async #list(): Promise<Listed[]> {
    const workspaces = this.props.snapshot.world.workspaces.filter(({ waba_id }) => waba_id !== null);
    const lists = await Promise.all(
      workspaces.map(async ({ id }) => (await listFlows(id)).map((flow) => ({ ...flow, workspace: id }))),
    );
    return lists.flat();
  }

  override render({ snapshot, number, rest: [workspace, id] }: PageProps, { flows, fault }: FlowsState) {
    const opened = flows?.find((one) => one.id === id && one.workspace === workspace);
    const first = snapshot.world.workspaces.find(({ waba_id }) => waba_id !== null);
    return (
      <div class="page flows">
        <div class="row">
          <h1>Flows</h1>
          {first && (
            <ActionButton kind="quiet" act={() => create(first.id)}>
              New Flow
            </ActionButton>
          )}
          <nav class="flow-list" aria-label="Flows" data-chosen={opened !== undefined}>
            {flows?.map((flow) => (
              <a
                key={flow.id}
                href={`#/flows/${flow.workspace}/${flow.id}`}
                aria-current={flow.id === id ? 'true' : undefined}
              >
                <span>{flow.name}</span> {flow !== opened && <StatusOfFlow status={flow.status} />}
              </a>
            ))}
          </nav>
        </div>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {flows === undefined && fault === undefined && <p class="dim">Reading the Flows…</p>}
        {flows?.length === 0 && <Empty>There is no Flow yet. Create one: it begins with a small example.</Empty>}
        {flows !== undefined && id !== undefined && opened === undefined && (
          <Empty>This Flow does not exist any more.</Empty>
        )}
        {flows !== undefined && flows.length > 0 && id === undefined && <Empty>Choose a Flow to edit it.</Empty>}
        {opened && (
          <OpenFlow key={opened.id} workspace={opened.workspace} flow={opened} snapshot={snapshot} number={number} />
        )}
      </div>
    );
  }
}

/** Creates a Flow to begin with, and opens it. Names are unique, so its name has the time. */
async function create(workspace: string): Promise<void> {
  const id = await createExample(workspace, `Rating ${new Date().toISOString().slice(0, 19)}`);
  location.hash = `#/flows/${workspace}/${id}`;
}
