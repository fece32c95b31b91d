import demoFlow from './demo-flow.json' with { type: 'json' };
import type { WorldDescription } from './world-description.ts';

const name = 'Demo: book a table';

/** A placeholder for the day on which the Flow is created, because nobody books a table in the past. */
const earliestDay = '2026-01-01';

/** The longest validity that a preview can have. */
const aDay = 6;

/** Creates a preview of a demo Flow in the first workspace, and the Flow if needed, through the API as any client. */
export async function demonstrate(world: WorldDescription): Promise<{ url: string; secret: string }> {
  const workspace = world.workspaces[0]?.id;
  const number = world.numbers.find(({ active, workspace: of }) => active && of === workspace)?.id;
  const flows = `/v2/workspaces/${workspace}/flows`;

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(world.base_url + path, {
      method,
      headers: { authorization: `Bearer ${world.tokens.owner}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  async function makeFlow(): Promise<string> {
    const { id } = await call<{ id: string }>('POST', flows, { name, categories: [3] });
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const json = JSON.parse(JSON.stringify(demoFlow).replace(earliestDay, today));
    await call('PUT', `${flows}/${id}/json`, { json });
    return id;
  }

  const { data } = await call<{ data: { id: string; name: string }[] }>('GET', flows);
  const id = data.find((flow) => flow.name === name)?.id ?? (await makeFlow());
  return call('POST', `${flows}/${id}/preview`, { number, valid_until: aDay });
}
