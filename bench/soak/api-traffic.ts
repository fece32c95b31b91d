import { setTimeout as delay } from 'node:timers/promises';
import { seededNumbers, seededWorkspaces } from '#local/seed.ts';
import { newId } from '#shared/base/ids.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { publishableFlow } from '#support/flows/publishable-flow.ts';
import { pickFrom } from '#support/random.ts';
import { sdpOf } from '#support/sdp.ts';
import type { Customer } from './customers.ts';
import type { Disturbances } from './disturbances.ts';
import type { Ledger } from './ledger.ts';
import type { Receivers } from './receivers.ts';
import type { SoakWorld } from './soak-world.ts';

export interface Response {
  /** 0 if there was no response. */
  status: number;
  body: Record<string, unknown>;
}

interface Delivery {
  id: string;
  target: Target;
}

const acme = String(seededWorkspaces[0]?.id);
const [caller] = seededNumbers;

/** Simulates the API's users: Flows, previews, webhooks, replays, media and calls, one request after the other. */
export function createApiTraffic({
  world,
  ledger,
  disturbances,
  receivers,
  random,
}: {
  world: SoakWorld;
  ledger: Ledger;
  disturbances: Disturbances;
  receivers: Receivers;
  random: () => number;
}) {
  const figures = { requests: 0, serverErrors: 0, unanswered: 0, unexplained: [] as string[] };
  const flows = new Map<string, 'draft' | 'filled' | 'published'>();

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const from = Date.now();
    figures.requests += 1;
    const { status, text } = await request(world, method, path, body);
    if (status === 0) figures.unanswered += 1;
    if (status >= 500) figures.serverErrors += 1;
    const isFault = status === 0 || status >= 500;
    if (isFault && !disturbances.between(from, Date.now())) {
      figures.unexplained.push(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')}: ${status || 'no response'}`);
    }
    return { status, body: parse(text) };
  }

  const flowPath = (flow = '') => `/v2/workspaces/${acme}/flows${flow && `/${flow}`}`;
  const newMetadata = () => ({ name: `Soak ${newId()}`, categories: [1 + Math.floor(random() * 8)] });
  const someFlow = (state?: string) => {
    const candidates = [...flows].filter(([, one]) => state === undefined || one === state).map(([id]) => id);
    return candidates.length > 0 ? pickFrom(candidates, random) : undefined;
  };

  /** Takes Flows through their life cycle. Few stay, because every list request reads all that exist. */
  const flowActions: (() => Promise<unknown>)[] = [
    async () => {
      const { status, body } = await call('POST', flowPath(), newMetadata());
      if (status === 201) flows.set(String(body.id), 'draft');
    },
    async () => {
      const flow = someFlow('draft') ?? someFlow('filled');
      if (flow) await call('PUT', flowPath(flow), newMetadata());
    },
    async () => {
      const flow = someFlow('draft');
      if (flow && (await call('PUT', `${flowPath(flow)}/json`, { json: publishableFlow })).status === 200) {
        flows.set(flow, 'filled');
      }
    },
    async () => {
      const flow = someFlow('filled');
      if (flow && (await call('POST', `${flowPath(flow)}/publish`)).status === 200) flows.set(flow, 'published');
    },
    async () => {
      const flow = flows.size > 10 ? someFlow() : undefined;
      if (flow && [200, 204, 404].includes((await call('DELETE', flowPath(flow))).status)) flows.delete(flow);
    },
    () => call('GET', `${flowPath()}?limit=20`),
    async () => {
      const flow = someFlow('filled');
      if (!flow) return;
      const preview = await call('POST', `${flowPath(flow)}/preview`, { number: caller?.id, valid_until: 1 });
      if (preview.status === 201) await call('GET', new URL(String(preview.body.url)).pathname);
    },
  ];

  const otherActions: (() => Promise<unknown>)[] = [
    async () => {
      const id = `7${Math.floor(random() * 10 ** 9)}`;
      const phone_number_id = caller?.phone_number_id;
      const put = await simulator(world, 'media', {
        id,
        phone_number_id,
        mime_type: 'image/png',
        seed: id,
        size: 20_000,
      });
      if (put) await call('GET', `/v2/messaging/numbers/${caller?.id}/media/${id}`);
    },
    () => call('GET', `/v2/messaging/numbers/${caller?.id}/calls/call-permissions?user_wa_id=15550100999`),
    async () => {
      const sdp = sdpOf('offer');
      const to = String(5_511_900_000_000 + Math.floor(random() * 10 ** 8));
      await call('POST', `/v2/messaging/numbers/${caller?.id}/calls/make`, {
        to,
        connection: { webrtc: { sdp } },
        session: { sdp },
      });
      await simulator(world, 'calls/latest/hang-up');
    },
  ];

  /** Excludes healthy numbers from these actions: for them, only a kill may explain a repeated notification. */
  function webhookActions(customer: Customer): (() => Promise<unknown>)[] {
    const path = `/v2/messaging/numbers/${customer.number.id}/webhook`;
    const reads = [() => call('GET', path), () => call('GET', `${path}/deliveries?limit=20`)];
    if (customer.character === 'healthy') return reads;
    const replay = async () => {
      const { body } = await call('GET', `${path}/deliveries?limit=20&state=delivered`);
      const list = (body.data ?? []) as Delivery[];
      const chosen = list.length > 0 ? pickFrom(list, random) : undefined;
      if (!chosen) return;
      const found = await call('GET', `${path}/deliveries/${chosen.id}`);
      const item = itemOfPayload(found.body.payload);
      // The ledger records the replay before the request, because the replay may happen even without a response.
      if (item) ledger.replay({ number: customer.number.id, target: chosen.target, item });
      await call('POST', `${path}/deliveries/${chosen.id}/replay`);
    };
    const rotate = async () => {
      const { status, body } = await call('POST', `${path}/secret`);
      if (status === 200) receivers.addSecret(customer.number.id, String(body.secret));
    };
    const others = [replay, replay, () => call('POST', `${path}/resume`, {}), () => call('POST', servicePath(path))];
    return customer.character === 'changing'
      ? [...reads, replay, rotate, () => changeUrl(customer, path), () => changeUrl(customer, path)]
      : [...reads, ...others];
  }

  /** Changes a URL, removes it, or sets one again. */
  const changeUrl = (customer: Customer, path: string) =>
    customer.alone(async () => {
      const { number, urls } = customer;
      const target = pickFrom(['webhook', 'secondary_webhook'] as const, random);
      const url = urls[target] && random() < 0.4 ? null : `${receivers.url}/${number.id}/${target}/${newId()}`;
      // Without a response, the outcome is unknown, so this retries until there is one.
      for (;;) {
        if ((await call('PUT', path, { [target]: url })).status === 200) break;
        await delay(500);
      }
      if (url === null) {
        delete urls[target];
        ledger.remove(number.id, target);
      } else urls[target] = url;
    });

  return {
    figures,
    call,
    async run(customers: readonly Customer[], stop: AbortSignal): Promise<void> {
      while (!stop.aborted) {
        const luck = random();
        const actions =
          luck < 0.5 ? flowActions : luck < 0.65 ? otherActions : webhookActions(pickFrom(customers, random));
        await pickFrom(actions, random)();
        await delay(random() * 150);
      }
    },
  };
}

export type ApiTraffic = ReturnType<typeof createApiTraffic>;

const servicePath = (path: string) => path.replace(/webhook$/, 'service-webhook');

function itemOfPayload(payload: unknown): string | undefined {
  const { messages, statuses } = parse(String(payload)) as Record<
    string,
    { id: string; status?: string }[] | undefined
  >;
  const [first] = messages ?? statuses ?? [];
  return first && [first.id, first.status].filter(Boolean).join(' ');
}

async function request(world: SoakWorld, method: string, path: string, body: unknown) {
  const { base_url, tokens } = world.description();
  try {
    const response = await fetch(base_url + path, {
      method,
      headers: {
        authorization: `Bearer ${tokens.owner}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(35_000),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

/** Sends a request to the simulated upstream's control API. Returns whether it succeeded. */
export async function simulator(world: SoakWorld, path: string, body?: unknown, method = 'POST'): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return fetch(`${world.description().upstream_url}/simulator/${path}`, init).then(
    ({ ok }) => ok,
    () => false,
  );
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
