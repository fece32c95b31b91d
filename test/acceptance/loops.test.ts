import { createHmac, randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { listFlowExchanges } from '#functions/flow-endpoint/contracts.ts';
import { createFlow, updateFlow } from '#functions/flows/contracts.ts';
import { testWebhook, updateWebhook } from '#functions/webhooks/contracts.ts';
import { seededCredentials, seededNumbers, seededWorkspaces } from '#local/seed.ts';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type FlowObject, newFlow, startFlowService } from '../../support/flows/flow-service.ts';
import { startHttpServer } from '../../support/http/http-server.ts';

const workspace = String(seededWorkspaces[0]?.id);
const number = String(seededNumbers[0]?.id);

/** The functions in the order in which they were invoked. */
const invoked: string[] = [];
/** Passes every request on to the service, as a proxy or a second domain would. */
/** Removed by the forwarder. */
let dropped: string[];

const service = forAllTests(() =>
  startFlowService({
    onAwsCall: ({ action, resource }) => {
      if (action === 'lambda:InvokeFunction') invoked.push(resource);
    },
  }),
);
const forwarder = forAllTests(() =>
  startHttpServer(async ({ method = 'GET', url = '/', headers }, response) => {
    const { host: _, 'content-length': __, ...kept } = headers;
    for (const name of dropped) delete kept[name];
    const body = forwarder.requests.at(-1)?.body;
    const answer = await fetch(service.baseUrl + url, {
      method,
      headers: kept as Record<string, string>,
      ...(body && { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }),
);
beforeEach(() => {
  dropped = [];
  forwarder.requests.length = 0;
  invoked.length = 0;
});

/** Sends a phone's request, signed like the upstream's. Returns the status that the phone gets. */
async function exchange(flow: string): Promise<number> {
  // An envelope counts for one Flow only.
  const encrypted_flow_data = randomBytes(8).toString('base64');
  const body = JSON.stringify({ encrypted_flow_data, encrypted_aes_key: 'AA==', initial_vector: 'AA==' });
  const signature = createHmac('sha256', seededCredentials.app_secret).update(body).digest('hex');
  const response = await fetch(`${service.baseUrl}/v2/flows/${flow}/endpoint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  });
  await response.text();
  return response.status;
}

const endpointOf = (base: string, flow: string) => `${base}/v2/flows/${flow}/endpoint`;

const setEndpoint = (flow: FlowObject, endpoint_url: string) =>
  service.api.succeed(updateFlow, {
    params: { workspace, flow: flow.id },
    body: { name: flow.name, categories: [3], endpoint_url, endpoint_encrypted: true },
  });

/** As an earlier version would have accepted it. */
const storeEndpoint = ({ id }: FlowObject, url: string) =>
  service.world.table.client.send(
    new UpdateCommand({
      TableName: service.world.table.name,
      Key: keys.flow(workspace, id),
      UpdateExpression: 'SET endpoint_url = :url, endpoint_encrypted = :true',
      ExpressionAttributeValues: { ':url': url, ':true': true },
    }),
  );

const endpointRuns = () => invoked.filter((name) => name === 'ExchangeFlowData').length;

const lastExchange = async ({ id: flow }: FlowObject) =>
  (await service.api.succeed(listFlowExchanges, { params: { workspace, flow } })).data[0];

describe('the address of the service itself', () => {
  const spellings = (port: string) => [
    `http://localhost:${port}/v2/flows/${newId()}/endpoint`,
    `http://LOCALHOST:${port}`,
    `http://127.0.0.1:${port}/v2/messaging/events`,
    `http://127.1:${port}`,
    `http://2130706433:${port}`,
    `http://[::1]:${port}`,
  ];

  it('is rejected as the endpoint of a Flow', async () => {
    for (const endpoint_url of spellings(new URL(service.baseUrl).port)) {
      const body = newFlow({ endpoint_url, endpoint_encrypted: true });
      const reply = await service.api.call(createFlow, { params: { workspace }, body });
      expect([endpoint_url, reply.status]).toEqual([endpoint_url, 422]);
    }
  });

  it('is rejected as a webhook', async () => {
    for (const webhook of spellings(new URL(service.baseUrl).port)) {
      const reply = await service.api.call(updateWebhook, { params: { number }, body: { webhook } });
      expect([webhook, reply.status]).toEqual([webhook, 422]);
    }
  });

  it('is not called even if it is already stored', async () => {
    const flow = await service.draft(workspace);
    await storeEndpoint(flow, endpointOf(service.baseUrl, flow.id));
    expect(await exchange(flow.id)).toBe(502);
    expect(endpointRuns()).toBe(1);
    expect(await lastExchange(flow)).toMatchObject({
      status: null,
      explanation: expect.stringContaining('an address of this service'),
    });
  });
});

describe('a request that comes back to the service', () => {
  it.each([
    ['as it was sent', []],
    ['without Via', ['via']],
    ['without the header of our own', ['messaging-service-via']],
  ])('is rejected if a forwarder passes it on %s', async (_, removed) => {
    dropped = removed;
    const flow = await service.draft(workspace);
    await setEndpoint(flow, endpointOf(forwarder.url, flow.id));
    expect(await exchange(flow.id)).toBe(502);
    expect(forwarder.requests).toHaveLength(1);
    expect(endpointRuns()).toBe(2);
    expect(await lastExchange(flow)).toMatchObject({ status: 508 });
  });

  it('is rejected if a webhook points to the ingestion of events', async () => {
    const webhook = `${forwarder.url}/v2/messaging/events`;
    await service.api.succeed(updateWebhook, { params: { number }, body: { webhook } });
    const tested = await service.api.succeed(testWebhook, { params: { number } });
    expect(tested).toMatchObject({ success: false, status: 508 });
    expect(invoked.filter((name) => name === 'ReceiveEvents')).toHaveLength(1);
    expect(invoked).not.toContain('DeliverNotifications');
  });
});
