import type { World } from '#local/world.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report.ts';
import { withWorld } from '../world/bench-world.ts';

const rounds = 5;
const bytes = 5_000_000;

/** Measures updates of a large Flow JSON, and counts what they write to the bucket and read from it. */
export async function measureLargeFlowJson(build: Build): Promise<Figure[]> {
  let [writes, reads] = [0, 0];
  const onAwsCall = ({ action }: { action: string }) => {
    if (action === 's3:PutObject') writes += 1;
    if (action === 's3:GetObject') reads += 1;
  };
  return withWorld(build, { onAwsCall }, async (world) => {
    const flows = `/v2/workspaces/${world.description.workspaces[0]?.id}/flows`;
    const { id } = JSON.parse(await call(world, 'POST', flows, { name: 'Large', categories: [3] }));
    const update = (round: number) =>
      call(world, 'PUT', `${flows}/${id}/json`, {
        json: { version: '7.3', screens: [], filler: String(round).padEnd(bytes, 'x') },
      });
    await update(-1);
    [writes, reads] = [0, 0];
    for (let round = 0; round < rounds; round++) await update(round);
    const what = 'Update of a 5 MB Flow JSON';
    return [
      { what: `${what}, writes to the bucket`, value: writes / rounds, unit: '', budget: 1 },
      { what: `${what}, reads from the bucket`, value: reads / rounds, unit: '', budget: 0 },
    ];
  });
}

async function call({ description }: World, method: string, path: string, body: object): Promise<string> {
  const response = await fetch(description.base_url + path, {
    method,
    headers: { authorization: `Bearer ${description.tokens.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}
