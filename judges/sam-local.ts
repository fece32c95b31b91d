import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { root } from '#infra/paths.ts';
import { samEnvironment } from '#infra/write-sam-env.ts';
import { freePort } from '#local/aws/base/http/free-port.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { hubSignature, hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { architecture, bridgeAddress, importLambdaImage, nodeVersion, startDocker } from './docker.ts';
import { forward, portsOf } from './forward.ts';
import type { Judge, Tools, Verdict } from './judge.ts';
import { type BackgroundProcess, startProcess } from './process.ts';

const run = promisify(execFile);

/**
 * Serves the template with the SAM CLI, each function in a container, and takes the README's journey through it, with
 * table, bucket, queues, secrets and platform of a local world. The steps are those of docs/internals/sam-local.md.
 */
export const samLocal: Judge = {
  name: 'sam-local',
  docker: true,
  async judge(tools) {
    const version = tools.version('aws-sam-cli');
    const template = await synthesise(tools.temporary);
    const stops: (() => Promise<void> | void)[] = [];
    try {
      return [
        { judge: 'sam validate --lint', version, tried: 'the template of dev', faults: await lint(template, tools) },
        ...(await judgeLocal(template, tools, (stop) => stops.unshift(stop))).map((row) => ({ version, ...row })),
      ];
    } finally {
      for (const stop of stops) await stop();
    }
  },
};

async function judgeLocal(
  template: string,
  tools: Tools,
  later: (stop: () => Promise<void> | void) => void,
): Promise<Omit<Verdict, 'version'>[]> {
  const { temporary } = tools;
  const docker = await startDocker(temporary);
  later(docker.stop);
  importLambdaImage(docker, temporary);

  const world = startWorld(temporary);
  later(world.stop);
  await until(world, () => /^ready /m.test(world.output()));
  const description: WorldDescription = JSON.parse(readFileSync(join(temporary, 'world.json'), 'utf8'));
  const queue = await ownQueue(description, temporary);

  const port = await freePort();
  const environment = samEnvironment(JSON.parse(readFileSync(template, 'utf8')), description, bridgeAddress);
  const environmentFile = join(temporary, 'env.json');
  const content = JSON.stringify(environment)
    .replaceAll('127.0.0.1:3010', `127.0.0.1:${port}`)
    // The world's own functions would deliver what is in its queue.
    .replaceAll('/NotificationQueue"', `/${queue.name}"`);
  writeFileSync(environmentFile, content);
  later(await forward(bridgeAddress, portsOf(bridgeAddress, content)));

  const sam = tools.command('sam');
  const samArgs = (...args: string[]) => [
    ...['local', ...args, '--template', template, '--env-vars', environmentFile],
    ...['--region', description.aws.region, '--profile', 'local', '--skip-pull-image'],
  ];
  const credentials = { AWS_SHARED_CREDENTIALS_FILE: join(temporary, 'data/aws-credentials') };
  const samVariables = { DOCKER_HOST: docker.host, ...credentials, ...quiet };
  const api = startProcess(sam, samArgs('start-api', '--port', `${port}`, '--warm-containers', 'LAZY'), samVariables);
  later(api.stop);
  await until(api, () => api.output().includes('Running on'));
  const receiver = await startReceiver();
  later(receiver.stop);

  async function deliverEvent(): Promise<void> {
    const event = join(temporary, 'event.json');
    const record = { messageId: '1', eventSource: 'aws:sqs', body: await queue.receive() };
    writeFileSync(event, JSON.stringify({ Records: [record] }));
    const args = samArgs('invoke', 'DeliverNotifications', '--event', event);
    const { stdout, stderr } = await run(sam, args, { env: { ...process.env, ...samVariables } });
    if (JSON.parse(stdout).batchItemFailures?.length === 0 && receiver.received().includes(eventText)) return;
    throw new Error(`The receiver got no notification, and the consumer responded ${stdout}\n${stderr}`);
  }

  const journey = journeyThrough(`http://127.0.0.1:${port}`, description, receiver.url);
  const journeyFaults = await faultsOf(journey.take, () => api.output().slice(-3000));
  return [
    {
      judge: 'sam local start-api',
      tried: `${journey.count()} requests, on Node ${nodeVersion()}`,
      faults: journeyFaults,
    },
    { judge: 'sam local invoke', tried: 'an SQS event, to a receiver', faults: await faultsOf(deliverEvent) },
  ];
}

async function faultsOf(take: () => Promise<void>, log = () => ''): Promise<string[]> {
  try {
    await take();
    return [];
  } catch (error) {
    return [`${error instanceof Error ? error.message : error}\n${log()}`];
  }
}

const quiet = { SAM_CLI_TELEMETRY: '0' };

/** @returns the template's file */
async function synthesise(temporary: string): Promise<string> {
  const assembly = join(temporary, 'cdk.out');
  await run('npm', ['run', 'synth', '--', '-c', 'samLocal=true', '-c', `architecture=${architecture}`], {
    cwd: root,
    env: { ...process.env, CDK_OUTDIR: assembly },
  });
  return join(assembly, 'messaging-dev.template.json');
}

async function lint(template: string, { command }: Tools): Promise<string[]> {
  try {
    const args = ['validate', '--lint', '--template', template, '--region', 'us-east-1'];
    await run(command('sam'), args, { env: { ...process.env, ...quiet } });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`${stdout}${stderr}`];
  }
}

/** Starts a local world that also responds to the name by which containers call this machine. */
function startWorld(folder: string): BackgroundProcess {
  const ports = { PORT: '0', UPSTREAM_PORT: '0', CONSOLE_PORT: '0' };
  const variables = { ...ports, LOCAL_DATA_DIR: folder, LOCAL_HOSTS: bridgeAddress };
  return startProcess(process.execPath, [join(root, 'local/start/start.js')], variables);
}

async function until({ hasEnded, output }: BackgroundProcess, isReady: () => boolean): Promise<void> {
  while (!isReady()) {
    if (hasEnded()) throw new Error(output());
    await setTimeout(100);
  }
}

/** A queue of the world that nothing polls: what functions in containers send there stays for the judge. */
async function ownQueue({ aws }: WorldDescription, folder: string) {
  const credentials = readFileSync(join(folder, 'data/aws-credentials'), 'utf8');
  const value = (name: string) => new RegExp(`^${name} *= *(\\S+)`, 'm').exec(credentials)?.[1] ?? '';
  const client = new SQSClient({
    region: aws.region,
    endpoint: aws.sqs,
    credentials: { accessKeyId: value('aws_access_key_id'), secretAccessKey: value('aws_secret_access_key') },
  });
  const name = 'JudgedQueue';
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: name }));
  return {
    name,
    async receive(): Promise<string> {
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
      const body = Messages[0]?.Body;
      if (body === undefined) throw new Error('The event led to no message in the queue');
      return body;
    },
  };
}

/** A server that responds 200 to every POST. */
async function startReceiver() {
  let received = '';
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    request.on('end', () => response.end());
  });
  await once(server.listen(0, bridgeAddress), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${bridgeAddress}:${port}/`,
    received: () => received,
    stop: () => void server.close(),
  };
}

/** The text of the message in the event. */
const eventText = 'delivered by sam local';

/** The README's journey, and what an event leads to. */
function journeyThrough(baseUrl: string, world: WorldDescription, webhook: string) {
  const [workspace] = world.workspaces;
  const [number] = world.numbers;
  if (!workspace || !number) throw new Error('The local world has no seeded data');
  const numberPath = `/v2/messaging/numbers/${number.id}`;
  let requests = 0;

  async function call(method: string, path: string, status: number, body?: string, headers = {}) {
    requests++;
    const response = await fetch(new URL(path, baseUrl), {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${world.tokens.owner}`, ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(60_000),
    });
    if (response.status === status) return response;
    throw new Error(`${method} ${path} got ${response.status} instead of ${status}: ${await response.text()}`);
  }

  async function json(method: string, path: string, status: number, body?: object) {
    const type = { 'content-type': 'application/json' };
    const response = await call(method, path, status, body && JSON.stringify(body), body && type);
    return Object(await response.json());
  }

  async function publishFlow(): Promise<string> {
    const flows = `/v2/workspaces/${workspace?.id}/flows`;
    const { id } = await json('POST', flows, 201, { name: 'Tables', categories: [3] });
    const demo = JSON.parse(readFileSync(join(root, 'local/demo-flow.json'), 'utf8'));
    await json('PUT', `${flows}/${id}/json`, 200, { json: demo });
    await json('POST', `${flows}/${id}/publish`, 200);
    return id;
  }

  async function openPreview(flow: string): Promise<void> {
    const preview = await json('POST', `/v2/workspaces/${workspace?.id}/flows/${flow}/preview`, 201, {
      number: number?.id,
      valid_until: 1,
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const digits = new URLSearchParams({ secret: preview.secret }).toString();
    const unlocked = await call('POST', preview.url, 303, digits, form);
    const cookie = String(unlocked.headers.get('set-cookie')).split(';', 1)[0];
    const page = await (await call('GET', preview.url, 200, undefined, { cookie })).text();
    const script = /<script [^>]*src="([^"]+)"/.exec(page)?.[1];
    if (script === undefined) throw new Error('The unlocked preview has no script');
    await call('GET', new URL(script, preview.url).href, 200);
  }

  async function uploadFiles(): Promise<void> {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe, 0x00, 0x80]);
    // API Gateway encodes other bytes. SAM responds 502 to what is no UTF-8.
    await call('POST', `${numberPath}/media`, 200, 'a text', { 'content-type': 'text/plain' });
    const upload = await json('POST', `${numberPath}/media/uploads`, 201, {
      type: 'application/pdf',
      size: bytes.length,
    });
    const { ok, status } = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes });
    if (!ok) throw new Error(`The bucket responded ${status}`);
    await json('POST', `${numberPath}/media/uploads/${upload.upload}/complete`, 200);
  }

  async function sendEvent(): Promise<void> {
    const message = { from: '15550000000', id: 'wamid.sam', timestamp: '1767225600', type: 'text' };
    const { phone_number_id, display_phone_number } = number ?? {};
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number, phone_number_id },
      contacts: [{ profile: { name: 'Ana' }, wa_id: message.from }],
      messages: [{ ...message, text: { body: eventText } }],
    };
    const entry = [{ id: workspace?.waba_id, changes: [{ field: 'messages', value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    const signature = { [hubSignatureHeader]: hubSignature(body, world.app_secret) };
    await call('POST', '/v2/messaging/events', 200, body, { 'content-type': 'application/json', ...signature });
  }

  return {
    count: () => requests,
    async take() {
      const flow = await publishFlow();
      await openPreview(flow);
      await json('PUT', `${numberPath}/webhook`, 200, { webhook });
      await json('POST', `${numberPath}/messages`, 200, {
        to: '5511988887777',
        type: 'flow',
        flow: { flow, cta: 'Book a table', body: 'When would you like to come?' },
      });
      await uploadFiles();
      await sendEvent();
      // API Gateway responds 404.
      await call('GET', '/v2/nothing', 403);
    },
  };
}
