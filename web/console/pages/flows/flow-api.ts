import { parseExactJson } from '#shared/base/json.ts';
import { getJson, sendJson, sendText } from '../../http.ts';

/** The parts of the API's Flow object that the page shows. */
export interface FlowSummary {
  readonly id: string;
  readonly name: string;
  readonly status: { readonly code: string; readonly description: string };
  readonly endpoint_url: string | null;
  readonly updated_at: string;
}

export interface Funnel {
  readonly sent: number;
  readonly opened: number | null;
  readonly completed: number;
  readonly screens: readonly { readonly screen: string; readonly stopped: number }[] | null;
}

export interface Exchange {
  readonly at: string;
  readonly action: string | null;
  readonly screen?: string | null;
  readonly status: number | null;
  readonly duration_ms?: number | null;
}

const pathOf = (workspace: string, flow: string) => `/service/v2/workspaces/${workspace}/flows/${flow}`;

/** The Flow JSON that the service has, indented. */
export const readFlowJson = async (workspace: string, flow: string): Promise<string> =>
  flowJsonIn(await sendText('GET', pathOf(workspace, flow)));

/** Sends the text as it was typed, and returns what the service now has, indented. */
export const saveFlowJson = async (workspace: string, flow: string, text: string): Promise<string> =>
  flowJsonIn(await sendText('PUT', `${pathOf(workspace, flow)}/json`, `{"json":${text}}`));

/** The digits of numbers stay as they were written. */
function flowJsonIn(response: string): string {
  const { json } = parseExactJson(response) as { json: unknown };
  return json === null ? '' : JSON.stringify(json, null, 2);
}

export const publish = (workspace: string, flow: string) => sendJson('POST', `${pathOf(workspace, flow)}/publish`);

export const readFunnel = (workspace: string, flow: string) => getJson<Funnel>(`${pathOf(workspace, flow)}/funnel`);

export const readExchanges = async (workspace: string, flow: string): Promise<readonly Exchange[]> =>
  (await getJson<{ data: Exchange[] }>(`${pathOf(workspace, flow)}/endpoint/exchanges`)).data;

/** All Flows of a workspace, newest first. */
export async function listFlows(workspace: string): Promise<readonly FlowSummary[]> {
  const flows: FlowSummary[] = [];
  let cursor: string | null = '';
  do {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { data: FlowSummary[]; meta: { next_cursor: string | null } } = await getJson(
      `/service/v2/workspaces/${workspace}/flows?json=false&limit=100${query}`,
    );
    flows.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return flows;
}

/** Sends the Flow to a contact. A draft is sent to be tried out. */
export const sendFlow = (number: string, to: string, { id, name, status }: FlowSummary) =>
  sendJson('POST', `/service/v2/messaging/numbers/${number}/messages`, {
    to,
    type: 'flow',
    flow: { flow: id, cta: 'Open', body: name, ...(status.code === 'DRAFT' && { mode: 'draft' }) },
  });

/** Creates a draft with a small Flow JSON, and returns its id. */
export async function createExample(workspace: string, name: string): Promise<string> {
  const { id } = await sendJson<{ id: string }>('POST', `/service/v2/workspaces/${workspace}/flows`, {
    name,
    categories: [8],
  });
  await saveFlowJson(workspace, id, JSON.stringify(example, null, 2));
  return id;
}

const example = {
  version: '7.3',
  screens: [
    {
      id: 'RATING',
      title: 'How was it?',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          {
            type: 'RadioButtonsGroup',
            name: 'rating',
            label: 'Your rating',
            required: true,
            'data-source': [
              { id: 'good', title: 'Good' },
              { id: 'bad', title: 'Not so good' },
            ],
          },
          {
            type: 'Footer',
            label: 'Send',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a reference of Flow JSON.
            'on-click-action': { name: 'complete', payload: { rating: '${form.rating}' } },
          },
        ],
      },
    },
  ],
};
