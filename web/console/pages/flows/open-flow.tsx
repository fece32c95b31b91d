import { Component } from 'preact';
import type { WorldNumber } from '../../bar.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { sampleContact } from '../phone/names.ts';
import { FlowActivity } from './flow-activity.tsx';
import { type FlowSummary, sendFlow } from './flow-api.ts';
import { FlowEditor } from './flow-editor.tsx';
import { FlowPreview } from './flow-preview.tsx';

interface OpenFlowProps {
  readonly workspace: string;
  readonly flow: FlowSummary;
  readonly snapshot: Snapshot;
  /** The number that is chosen above the pages. */
  readonly number: WorldNumber | undefined;
}

/** One Flow: its JSON beside the running Flow, and how far contacts got in it. */
export class OpenFlow extends Component<OpenFlowProps, { text?: string }> {
  override render({ workspace, flow, snapshot, number: chosen }: OpenFlowProps, { text }: { text?: string }) {
    const own = snapshot.world.numbers.filter((one) => one.workspace === workspace && one.active);
    const number = own.find(({ id }) => id === chosen?.id) ?? own[0];
    const send = async () => {
      if (number === undefined) return;
      await sendFlow(number.id, sampleContact, flow);
      location.hash = `#/phone/${number.phone_number_id}/${sampleContact}`;
    };
    return (
      <>
        <div class="editor">
          <FlowEditor
            workspace={workspace}
            flow={flow}
            changed={(typed) => this.setState({ text: typed })}
            send={number && <ActionButton act={send}>Send to a phone</ActionButton>}
          />
          {text !== undefined && <FlowPreview text={text} />}
        </div>
        <FlowActivity workspace={workspace} flow={flow} text={text} />
        <p class="dim">
          <code>{flow.id}</code>
          {flow.endpoint_url !== null && (
            <>
              {' '}
              · endpoint <code>{flow.endpoint_url}</code>
            </>
          )}
        </p>
      </>
    );
  }
}
