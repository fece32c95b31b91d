import type { WorldDescription } from '#local/world-description.ts';

const files = [
  { id: 'fuzz.1', size: 10 },
  { id: 'fuzz.2', size: 100_000, mime_type: 'text/html' },
  { id: 'fuzz.3', size: 8_000_000 },
  { id: 'fuzz.4', expired: true },
  { id: 'fuzz.5', wrong_sha256: true },
  { id: 'fuzz.6', truncated: true },
];

const callers = ['15550100991', '15550100992', '15550100993', '15550100994'];

/** Ids of resources that only the upstream can create in the world. */
export interface Prepared {
  mediaIds: readonly string[];
  callIds: readonly string[];
}

/** Gives the simulated upstream files of the first number, good and bad ones, and has contacts call that number. */
export async function prepare({ upstream_url, numbers }: WorldDescription): Promise<Prepared> {
  const control = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${upstream_url}/simulator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The simulated upstream did not prepare ${path}: ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  for (const file of files) await control('media', file);
  const phone_number_id = numbers[0]?.phone_number_id;
  const calls = await Promise.all(callers.map((from) => control('calls', { phone_number_id, from })));
  return { mediaIds: files.map(({ id }) => id), callIds: ['wacid.unknown', ...calls.map(({ id }) => id)] };
}
