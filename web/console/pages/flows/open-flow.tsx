import { Component } from 'preact';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { FlowActivity } from './flow-activity.tsx';
import { type FlowSummary, sendFlow } from './flow-api.ts';
import { FlowEditor } from './flow-editor.tsx';
import { FlowPreview } from './flow-preview.tsx';
import { StatusOfFlow } from './status-of-flow.tsx';

/** Who gets a Flow that is tried out: the contact of the page Start. */
const contact = '5511988887777';

interface OpenFlowProps {
  readonly workspace: string;
  readonly flow: FlowSummary;
  readonly snapshot: Snapshot;
}

/** One Flow: its JSON beside the running Flow, and how far contacts came in it. */
export class OpenFlow extends Component<OpenFlowProps, { text?: string }> {
  override state: { text?: string } = {};

  override render({ workspace, flow, snapshot }: OpenFlowProps, { text }: { text?: string }) {
    const number = snapshot.world.numbers.find((one) => one.workspace === workspace && one.active);
    const send = async () => {
      if (number === undefined) return;
      await sendFlow(number.id, contact, flow);
      location.hash = `#/phone/${number.phone_number_id}/${contact}`;
    };
    return (
      <>
        <header class="flow-title">
          <div class="row">
            <h2>{flow.name}</h2>
            <StatusOfFlow status={flow.status} />
            {number && <ActionButton act={send}>Send to a phone</ActionButton>}
          </div>
          <p class="dim">
            <code>{flow.id}</code>
            {flow.endpoint_url !== null && (
              <>
                {' '}
                · endpoint <code>{flow.endpoint_url}</code>
              </>
            )}
          </p>
        </header>
        <div class="editor">
          <FlowEditor workspace={workspace} flow={flow} changed={(typed) => this.setState({ text: typed })} />
          {text !== undefined && <FlowPreview text={text} />}
        </div>
        <FlowActivity workspace={workspace} flow={flow} />
      </>
    );
  }
}
