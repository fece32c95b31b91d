import { tokenStore } from '#shared/accounts/user-store.ts';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import type { Delivery, Payload } from '#shared/delivery/delivery.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { QueueMessage } from '#shared/delivery/notification.ts';
import { defaultSchedule } from '#shared/delivery/retry-schedule.ts';
import type { GetResponse } from '#shared/egress/get.ts';
import type { Attempt, PostRequest } from '#shared/egress/post.ts';
import type { UrlFault } from '#shared/egress/url-rules.ts';
import { keyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import type { LinkOptions } from '#shared/media/media-bucket-store.ts';
import { accessReader } from '#shared/operations/access-store.ts';
import type { Contract } from '#shared/operations/contract.ts';
import { keyedRequests } from '#shared/operations/keyed-request.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber, Subscriber, Target } from '#shared/webhooks/subscriber.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { operationOf, watchTable } from '#support/aws/watch-table.ts';
import { startTestTable } from '../aws/dynamodb.ts';
import { type Handler, type RequestOptions, send } from '../aws/http-event.ts';
import { mark } from '../deployment.ts';
import { caller, token, workspace } from '../fakes/fake-access.ts';
import { openBreaker } from '../open-breaker.ts';
import { challengeIn } from './delivery-engine.ts';

/** The time in the world, until a test moves its clock: 2026-01-31T08:15:30.123Z. */
export const now = Date.UTC(2026, 0, 31, 8, 15, 30, 123);

export interface Operation<Dependencies> {
  contract: Contract;
  makeHandler: (dependencies: Dependencies) => Handler;
}

/**
 * Runs any operation of the API on the real stores of a DynamoDB engine, with a queue that keeps its messages and
 * receivers that respond as the test says.
 */
export async function startApiWorld(role: Role = 'member') {
  const { table, close } = await startTestTable();
  const actions = watchActions(table);
  const numbers = numberStore(table);
  const targets = targetStore(table);
  const deliveries = deliveryStore(table);
  const breakers = breakerStore(table);
  const secrets = secretStore(table);
  const workspaces = workspaceStore(table);
  await workspaces.create(workspace);
  await workspaces.putMember({ workspace: workspace.id, user: token.user, role });
  await tokenStore(table).create(token);

  const clock = { now };
  const queued: QueueMessage[] = [];
  const posts: PostRequest[] = [];
  const receiver: { answer: Attempt | ((request: PostRequest) => Attempt) } = { answer: answered(200) };
  const blobs = new Map<string, string>();
  /** Faults of URLs that the guard rejects. */
  const faults = new Map<string, UrlFault>();
  /** How receivers respond to the handshake: with the challenge, until a test changes that. */
  const handshakes = {
    asked: [] as URL[],
    answer: challengeIn as (url: string) => GetResponse,
    respond(url: string): GetResponse {
      this.asked.push(new URL(url));
      return this.answer(url);
    },
  };

  const dependencies = {
    access: accessReader(table),
    keyedRequests: keyedRequests(keyedRequestStore(table)),
    now: () => clock.now,
    mark,
    baseUrl: 'https://api.example.com',
    targets,
    deliveries,
    breakers,
    secrets,
    queue: {
      async send(messages: readonly { message: QueueMessage }[]) {
        queued.push(...messages.map(({ message }) => message));
      },
    },
    sender: {
      async post(request: PostRequest) {
        posts.push(request);
        return typeof receiver.answer === 'function' ? receiver.answer(request) : receiver.answer;
      },
      close() {},
    },
    timeoutMs: 10_000,
    schedule: defaultSchedule,
    random: () => 0.5,
    readPayload: async (payload: Payload) => ('text' in payload ? payload.text : (blobs.get(payload.blob) ?? '')),
    link: async (key: string, { contentDisposition }: LinkOptions) =>
      `https://bucket.example.com/${key}?name=${/filename="(.*)"/.exec(contentDisposition)?.[1]}`,
    checkUrl: async (url: string) => faults.get(url),
    ask: async (url: string) => handshakes.respond(url),
  };

  return {
    table,
    clock,
    posts,
    receiver,
    blobs,
    faults,
    handshakes,
    targets,
    deliveries,
    breakers,
    secrets,
    dependencies,

    queuedFor: ({ id }: Pick<Subscriber, 'id'>) => queued.filter(({ subscriber }) => subscriber === id),

    /** An active number of the caller's workspace, without URLs. */
    async newNumber({
      webhook,
      secondary_webhook,
      calls_webhook,
      ...members
    }: Partial<PhoneNumber & Record<Target, string>> = {}): Promise<PhoneNumber> {
      const number: PhoneNumber = {
        id: newId(),
        workspace: workspace.id,
        phone_number_id: newId(),
        display_phone_number: '+55 11 4000-0001',
        active: true,
        calling_enabled: false,
        created_at: 0,
        ...members,
      };
      await numbers.create(number);
      const urls = definedOnly({ webhook, secondary_webhook, calls_webhook });
      if (Object.keys(urls).length > 0) await targets.setUrls(number.id, urls);
      return number;
    },

    /** Turns calling on or off in the caller's workspace. */
    setCallingOfWorkspace: (isOn: boolean) => workspaces.setCalling(workspace.id, isOn),

    /** A workspace with these URLs. The caller has the role in it that the world was started with. */
    async newWorkspace({ webhook }: { webhook?: string } = {}, members: Partial<Workspace> = {}): Promise<Workspace> {
      const created = { ...workspace, id: newId(), waba_id: String(Math.random()).slice(2), ...members };
      await workspaces.create(created);
      await workspaces.putMember({ workspace: created.id, user: token.user, role });
      if (webhook) await targets.setUrls(created.id, { webhook });
      return created;
    },

    /** An exhausted delivery of the subscriber, unless `members` say otherwise. */
    async newDelivery(subscriber: Pick<Subscriber, 'id'>, members: Partial<Delivery> = {}): Promise<Delivery> {
      const delivery: Delivery = {
        id: newId(),
        subscriber: subscriber.id,
        target: 'webhook',
        kind: 'message',
        payload: { text: '{"messages":[]}' },
        state: 'exhausted',
        attempt_count: 11,
        attempts: [{ at: now - 1_000, duration_ms: 200, status: 500, excerpt: 'Oops' }],
        replays: [],
        created_at: now - 60_000,
        ...members,
      };
      const record = (await targets.read(subscriber.id))?.targets[delivery.target];
      // A target with deliveries has, or had, a URL.
      if (record && record.url === undefined) await targets.setUrls(subscriber.id, { [delivery.target]: null });
      await deliveries.insert(delivery);
      return delivery;
    },

    /** Opens the circuit breaker of a target. */
    async breakTarget({ id }: Pick<Subscriber, 'id'>, target: Target): Promise<void> {
      await openBreaker(breakers, id, target, { now });
    },

    /** Sends a request; fails if a use of the table, or an error, is not in the operation's contract. */
    async call(
      { contract, makeHandler }: Operation<typeof dependencies>,
      { id }: Pick<Subscriber, 'id'>,
      { pathParameters, ...options }: RequestOptions = {},
    ) {
      actions.clear();
      const answer = await send(makeHandler(dependencies), {
        contract,
        routeKey: `${contract.method} ${contract.path}`,
        caller,
        pathParameters: { [contract.path.includes('{workspace}') ? 'workspace' : 'number']: id, ...pathParameters },
        ...options,
      });
      const declared = Object.keys(contract.uses.table ?? {});
      const undeclared = [...actions].filter((action) => !declared.includes(action));
      if (undeclared.length > 0) throw new Error(`${contract.name} does not declare ${undeclared.join(', ')}`);
      return answer;
    },

    close,
  };
}

export type ApiWorld = Awaited<ReturnType<typeof startApiWorld>>;

/** A receiver's response after 200.4 ms. */
export function answered(status: number, body = ''): Attempt {
  return { outcome: 'responded', durationMs: 200.4, status, body: Buffer.from(body), truncated: false };
}

/** The URLs without the members that are `undefined`. */
function definedOnly(urls: Partial<Record<Target, string | undefined>>): Partial<Record<Target, string>> {
  return Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined));
}

/** Records the DynamoDB actions that the table's client performs, such as `GetItem`. */
function watchActions(table: Table): Set<string> {
  const actions = new Set<string>();
  watchTable(table, (command, send) => {
    const { TransactItems } = command.input as { TransactItems?: Record<string, unknown>[] };
    const parts = TransactItems?.flatMap(Object.keys).map((part) => `${part}Item`);
    for (const action of parts ?? [operationOf(command)]) actions.add(action);
    return send(command);
  });
  return actions;
}
