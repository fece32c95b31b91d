import type { OpenableFlow } from '#local/console/console-values.ts';
import { componentLimits } from '#shared/flow-json/document/components.ts';
import { loadFlow } from '#shared/flow-json/play/model.ts';
import { startAsSent } from '#shared/flow-json/play/state.ts';
import type { PageTexts } from '#shared/previews/page-texts.ts';
import { getJson, messageOf, sendJson } from '../console/http.ts';
import { speaker } from '../preview/say.ts';
import type { SheetContent } from './draft.ts';
import { pickedFiles } from './picked-files.ts';

/** The response of the simulated phone to `open-flow` and `exchange-data`. */
interface FlowView {
  readonly exchange: { readonly status: number; readonly answer: unknown } | null;
}

/** The Flow of a message that the business has sent. Exchanges and the final response go through the platform. */
export async function contentOfMessage(id: string): Promise<SheetContent> {
  const path = `/simulator/messages/${encodeURIComponent(id)}`;
  const [{ flow_json, flow_token, flow_action, flow_action_payload }, texts] = await Promise.all([
    getJson<OpenableFlow>(`${path}/flow`),
    getJson<PageTexts>('/console/texts'),
  ]);
  const { pick, send } = pickedFiles(path);
  if (flow_json === null) throw new Error('The Flow of this message has no Flow JSON.');
  return {
    flow: loadFlow(JSON.parse(flow_json), flow_token, componentLimits),
    say: speaker(texts),
    open: (flow) => startAsSent(flow, { action: flow_action, ...flow_action_payload }),
    pick,
    async exchange({ action, screen, data }) {
      const isOpening = action === 'INIT';
      try {
        const body = isOpening ? undefined : { action, screen, data: await send(data) };
        const act = isOpening ? 'open-flow' : 'exchange-data';
        const { exchange } = await sendJson<FlowView>('POST', `${path}/${act}`, body);
        if (exchange === null) return { fault: 'The endpoint was not asked.' };
        const { status, answer } = exchange;
        return status === 200 ? { status, answer } : { status, fault: `The endpoint responded ${status}.` };
      } catch (error) {
        return { fault: messageOf(error) };
      }
    },
    async completed(response) {
      await sendJson('POST', `${path}/complete-flow`, { response: await send(response) });
      parent.postMessage('completed', origin);
    },
  };
}
