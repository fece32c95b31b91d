import { Component } from 'preact';
import { getJson } from '../../http.ts';
import type { PageProps } from '../../page.ts';
import { Empty } from '../../parts/text.tsx';
import type { FlowSummary } from './flow-api.ts';
import { FlowEditor } from './flow-editor.tsx';
import { NewFlow } from './new-flow.tsx';
import { StatusOfFlow } from './status-of-flow.tsx';

interface Listed extends FlowSummary {
  readonly workspace: string;
}

/** The Flows of all workspaces that have a business account, and an editor for one of them. */
export class Flows extends Component<PageProps, { flows?: readonly Listed[]; fault?: string }> {
  override state: { flows?: readonly Listed[]; fault?: string } = {};

  override componentDidMount() {
    void this.#load();
  }

  /** The platform reports every change of a Flow. */
  override componentDidUpdate({ snapshot }: PageProps) {
    if (snapshot.flows !== this.props.snapshot.flows) void this.#load();
  }

  async #load(): Promise<void> {
    const workspaces = this.props.snapshot.world.workspaces.filter(({ waba_id }) => waba_id !== null);
    try {
      const lists = await Promise.all(
        workspaces.map(async ({ id }) => {
          const { data } = await getJson<{ data: FlowSummary[] }>(`/service/v2/workspaces/${id}/flows?json=false`);
          return data.map((flow) => ({ ...flow, workspace: id }));
        }),
      );
      this.setState({ flows: lists.flat() });
    } catch (error) {
      this.setState({ fault: error instanceof Error ? error.message : String(error) });
    }
  }

  override render({ snapshot, rest: [workspace, flow] }: PageProps, { flows, fault }: typeof this.state) {
    const opened = flows?.find((one) => one.id === flow && one.workspace === workspace);
    const first = snapshot.world.workspaces.find(({ waba_id }) => waba_id !== null);
    return (
      <div class="page flows">
        <div class="row">
          <h1>Flows</h1>
          {first && <NewFlow workspace={first.id} />}
        </div>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {flows?.length === 0 && <Empty>There is no Flow yet. Create one: it begins with a small example.</Empty>}
        <nav class="flow-list" aria-label="Flows">
          {flows?.map((one) => (
            <a
              key={one.id}
              href={`#/flows/${one.workspace}/${one.id}`}
              aria-current={one.id === flow ? 'true' : undefined}
            >
              {one.name} <StatusOfFlow status={one.status} />
            </a>
          ))}
        </nav>
        {opened && <FlowEditor key={opened.id} workspace={opened.workspace} flow={opened} snapshot={snapshot} />}
      </div>
    );
  }
}
