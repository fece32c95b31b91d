import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand, DeleteSecretCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { openService, openUpstream, type Surroundings } from '#cli/service.ts';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { readBody } from '#local/aws/base/http/read-body.ts';
import { startSecretsManager } from '#local/aws/secrets-manager/server.ts';
import { ownSecretId } from '#shared/accounts/credentials-store.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { newId } from '#shared/base/ids.ts';
import type { Clock } from '#shared/base/time.ts';
import { openEnvelope } from '#shared/flow-endpoint/envelope.ts';
import { ensureKeys, publicKeyOf } from '#shared/flow-endpoint/flow-keys.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { eventsPath, flowEndpointPath, pathOf } from '#shared/http/path.ts';
import { testCredentials, testSigners } from '../aws/aws-credentials.ts';
import { startTestTable } from '../aws/dynamodb.ts';
import {
  accessToken,
  appSecret,
  endpointFlowJson,
  phoneNumberId,
  startTestUpstream,
  verifyToken,
  wabaId,
} from './simulated-graph.ts';

const secretId = 'messaging/test/upstream';

/**
 * All that doctor reads, in this process, and in good order: a table with a number that has calling, a key and, unless
 * `hasFlow` is false, a published Flow with an endpoint, secrets, the simulated platform, and a service that only completes handshakes and
 * responds to pings.
 */
export async function startDoctorWorld({ now = Date.now, hasFlow = true }: { now?: Clock; hasFlow?: boolean } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'doctor-'));
  let privateKeys: readonly KeyObject[] = [];
  const [dynamodb, secrets, api] = await Promise.all([
    startTestTable(),
    startSecretsManager({ dataDir, signers: testSigners }),
    startService(() => privateKeys),
  ]);
  const platform = await startTestUpstream({
    accounts: [
      {
        waba_id: wabaId,
        name: 'Lucky Shrub',
        phone_numbers: [{ id: phoneNumberId, display_phone_number: '+1 555-078-3881', calling_enabled: true }],
      },
    ],
    callbackUrl: `${api.url}${eventsPath}`,
  });
  const connection = { endpoint: secrets.url, region: 'us-east-1', credentials: testCredentials };
  const client = secretsManager(connection);
  const SecretString = JSON.stringify({ access_token: accessToken, app_secret: appSecret, verify_token: verifyToken });
  await client.send(new CreateSecretCommand({ Name: secretId, SecretString }));

  /** The service as a command sees it, which remembers nothing of earlier ones. */
  const open = (surroundings: Partial<Surroundings> = {}) =>
    openService(
      {
        table: dynamodb.table,
        baseUrl: api.url,
        openUpstream: (workspace) =>
          openUpstream({ secretId, baseUrl: platform.url, graphVersion: 'v25.0', connection }, workspace),
        surroundings,
      },
      now,
    );

  const service = open();
  const workspace = { id: newId(), name: 'Acme', waba_id: wabaId, created_at: now() };
  const number = {
    id: newId(),
    workspace: workspace.id,
    phone_number_id: phoneNumberId,
    display_phone_number: '+1 555-078-3881',
    active: true,
    calling_enabled: true,
    created_at: now(),
  };
  await service.workspaces.create(workspace);
  await service.numbers.create(number);
  await service.eventNotes.noteNumber(number.id, { last_event_at: now(), kind: 'message' });

  const { flowKeys, encryption } = service.upstream();
  const keys = await ensureKeys(workspace.id, { flowKeys, now });
  privateKeys = keys.map(({ private_key }) => createPrivateKey(private_key));
  const [key] = keys;
  if (key) await encryption.register(phoneNumberId, publicKeyOf(key));
  const flow = hasFlow ? await publishFlow() : undefined;

  async function publishFlow() {
    const id = newId();
    const endpoint_uri = `${api.url}${pathOf(flowEndpointPath, { flow: id })}`;
    const waId = await platform.createFlow({ name: 'Booking', flow_json: endpointFlowJson, endpoint_uri });
    const published = await platform.graph('POST', `/${waId}/publish`);
    if (published.status !== 200) throw new Error(JSON.stringify(published.json));
    const store = flowStore(dynamodb.table);
    const created = {
      ...{ id, workspace: workspace.id, name: 'Booking', categories: [3 as const] },
      ...{ endpoint_url: 'https://customer.example/flow', endpoint_encrypted: false },
      ...{ status: 'DRAFT' as const, version: null, json: { text: endpointFlowJson }, preview_generation: 0 },
      ...{ created_at: now(), updated_at: now(), lease: { holder: 'test', until: now() + 60_000 } },
    };
    await store.insert(created);
    await store.save(created, { wa_id: waId, status: 'PUBLISHED', version: '7.3' }, now());
    return { id, waId };
  }

  return {
    ...{ table: dynamodb.table, platform, api, workspace, number, flow, open },

    /** Switches on these faults of the simulated platform, and all others off. */
    async break(...faults: string[]): Promise<void> {
      const { status, json } = await platform.control('PUT', '/setup/faults', { faults });
      if (status !== 200) throw new Error(JSON.stringify(json));
    },

    async storeCredentials(content: unknown): Promise<void> {
      await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: JSON.stringify(content) }));
    },

    /** Gives the workspace credentials of its own, with this content. Returns what removes them. */
    async storeOwnCredentials(content: unknown): Promise<() => Promise<void>> {
      const Name = ownSecretId(secretId, workspace.id);
      await client.send(new CreateSecretCommand({ Name, SecretString: JSON.stringify(content) }));
      await service.workspaces.setOwnCredentials(workspace.id, true);
      return async () => {
        await service.workspaces.setOwnCredentials(workspace.id, false);
        await client.send(new DeleteSecretCommand({ SecretId: Name, ForceDeleteWithoutRecovery: true }));
      };
    },

    async close(): Promise<void> {
      client.destroy();
      await Promise.all([dynamodb.close(), secrets.close(), platform.close(), api.close()]);
      await rm(dataDir, { recursive: true });
    },
  };
}

export type DoctorWorld = Awaited<ReturnType<typeof startDoctorWorld>>;

/** The two routes of the service that doctor calls. */
async function startService(privateKeys: () => readonly KeyObject[]) {
  const state = { pingStatus: 200 };
  const server = createServer(async (request, response) => {
    const url = new URL(`http://service${request.url}`);
    if (request.method === 'GET') {
      const isOurs = url.searchParams.get('hub.verify_token') === verifyToken;
      response.writeHead(isOurs ? 200 : 403).end(isOurs ? url.searchParams.get('hub.challenge') : '');
      return;
    }
    const body = (await readBody(request, 1024 * 1024)) ?? Buffer.alloc(0);
    const opened = openEnvelope(body, privateKeys());
    const isPing = opened && JSON.parse(opened.clear.toString()).action === 'ping';
    if (!isPing) return void response.writeHead(421).end();
    response.writeHead(state.pingStatus).end(opened.seal(Buffer.from(JSON.stringify({ data: { status: 'active' } }))));
  });
  return { ...(await listenOnLoopback(server, 0)), state };
}
