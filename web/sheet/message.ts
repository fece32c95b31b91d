import type { Flow as PlatformFlow } from '#local/graph/flows/flows.ts';
import type { SentMessage } from '#local/graph/messages/message.ts';
import { componentLimits } from '#shared/flow-json/document/component-limits.ts';
import { loadFlow } from '#shared/flow-json/play/model.ts';
import { type Opening, startAsSent } from '#shared/flow-json/play/state.ts';
import type { PageTexts } from '#shared/http/previews/page-texts.ts';
import { getJson, sendJson } from '../console/http.ts';
import { speaker } from '../preview/say.ts';
import type { SheetContent } from './content.ts';

/** The part of a Flow message that says which Flow opens, and how. */
interface FlowParameters {
  readonly flow_id?: string;
  readonly flow_name?: string;
  readonly flow_token?: string;
  readonly flow_action?: Opening['action'];
  readonly flow_action_payload?: Omit<Opening, 'action'>;
}

/** The response of the simulated phone to `open-flow` and `exchange-data`. */
interface FlowView {
  readonly exchange: { readonly status: number; readonly answer: unknown } | null;
}

/** The Flow of a message that the business has sent. Exchanges and the final response go through the platform. */
export async function contentOfMessage(id: string): Promise<SheetContent> {
  const path = `/simulator/messages/${encodeURIComponent(id)}`;
  const [message, { data: flows }, texts] = await Promise.all([
    getJson<SentMessage>(path),
    getJson<{ data: PlatformFlow[] }>('/simulator/flows'),
    getJson<PageTexts>('/console/texts'),
  ]);
  const parameters = parametersOf(message.content);
  const { flow_id, flow_name, flow_token = 'unused', flow_action = 'navigate', flow_action_payload } = parameters;
  const sent = flows.find((flow) => flow.id === flow_id || flow.name === flow_name);
  if (sent?.flow_json == null) throw new Error('The Flow of this message does not exist any more.');
  return {
    flow: loadFlow(JSON.parse(sent.flow_json), flow_token, componentLimits),
    say: speaker(texts),
    open: (flow) => startAsSent(flow, { action: flow_action, ...flow_action_payload }),
    async exchange({ action, screen, data }) {
      const isOpening = action === 'INIT';
      const body = isOpening ? undefined : { action, screen, data };
      const { exchange } = await sendJson<FlowView>(
        'POST',
        `${path}/${isOpening ? 'open-flow' : 'exchange-data'}`,
        body,
      );
      if (exchange === null) return { fault: 'The endpoint was not asked.' };
      const { status, answer } = exchange;
      return status === 200 ? { status, answer } : { status, fault: `The endpoint answered ${status}.` };
    },
    async completed(response) {
      await sendJson('POST', `${path}/complete-flow`, { response });
      parent.postMessage('completed', origin);
    },
  };
}

function parametersOf(content: unknown): FlowParameters {
  const { action } = Object(content) as { action?: { parameters?: FlowParameters } };
  return action?.parameters ?? {};
}
