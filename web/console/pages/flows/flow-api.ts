import { getJson, sendJson } from '../../http.ts';

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

export async function readFlowJson(workspace: string, flow: string): Promise<unknown> {
  return (await getJson<{ json: unknown }>(pathOf(workspace, flow))).json;
}

/** Sends the text as it was typed: parsing it here would change the digits of large numbers. */
export async function saveFlowJson(workspace: string, flow: string, text: string): Promise<void> {
  const response = await fetch(`${pathOf(workspace, flow)}/json`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: `{"json":${text}}`,
  });
  if (response.ok) return;
  const { message = `The response was ${response.status}.` } = (await response.json()) as { message?: string };
  throw new Error(message);
}

export const publish = (workspace: string, flow: string) => sendJson('POST', `${pathOf(workspace, flow)}/publish`);

export const readFunnel = (workspace: string, flow: string) => getJson<Funnel>(`${pathOf(workspace, flow)}/funnel`);

export const readExchanges = (workspace: string, flow: string) =>
  getJson<{ data: Exchange[] }>(`${pathOf(workspace, flow)}/endpoint/exchanges`);

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
