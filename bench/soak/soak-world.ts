import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { keptAdministrator } from '#local/aws/stack/credentials.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { openTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { descendants, runningProcesses } from '#support/processes.ts';

const worldProcess = fileURLToPath(new URL('../../support/worlds/world-process.ts', import.meta.url));

/** A line that a function or the world logged at level error, with its time. */
export interface ErrorLine {
  at: number;
  text: string;
}

export type SoakWorld = Awaited<ReturnType<typeof startSoakWorld>>;

/** Starts the local world in a process of its own, which can be killed and restarted on the same data. */
export async function startSoakWorld(templateFile: string, dataDir: string, variables: Record<string, string>) {
  const errors: ErrorLine[] = [];
  let running = await start();

  async function start() {
    const child = spawn(process.execPath, [worldProcess, templateFile, dataDir, JSON.stringify(variables)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    createInterface({ input: child.stderr }).on('line', (text) => {
      if (isError(text)) errors.push({ at: Date.now(), text });
    });
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error(`The world did not start: ${errors.at(-1)?.text}`))),
    ]);
    const description = JSON.parse(String(line)) as WorldDescription;
    const credentials = keptAdministrator(dataDir);
    const { aws } = description;
    const sqs = new SQSClient({ endpoint: aws.sqs, region: aws.region, credentials });
    const table = openTable(aws.table_name, { endpoint: aws.dynamodb, region: aws.region, credentials });
    // The messages of a killed function become visible again within seconds, instead of the template's minutes.
    for (const QueueUrl of [aws.queue_urls.NotificationQueue, aws.queue_urls.SlowNotificationQueue]) {
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '15' } }));
    }
    return { child, description, sqs, table };
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child, sqs, table } = running;
    sqs.destroy();
    table.client.destroy();
    const family = familyOf(child);
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    while (runningProcesses().some(({ pid }) => family.includes(pid))) await delay(50);
  }

  return {
    errors,
    /** Changes with each start. */
    description: (): WorldDescription => running.description,
    table: (): Table => running.table,
    /** The world's process and all its descendants. */
    processes: () => ({ world: running.child.pid ?? 0, children: descendants(running.child.pid ?? 0) }),

    /** Kills all processes of a function. Returns their number. */
    killFunction(name: string): number {
      const victims = descendants(running.child.pid ?? 0).filter(
        ({ environment }) => environment.AWS_LAMBDA_FUNCTION_NAME === name,
      );
      for (const { pid } of victims) process.kill(pid, 'SIGKILL');
      return victims.length;
    },

    /** Simulates a power failure and the restart of the machine. */
    async killAndRestart(): Promise<void> {
      await end('SIGKILL');
      running = await start();
    },

    async queueLengths(): Promise<{ queue: number; deadLetters: number }> {
      const { queue_urls } = running.description.aws;
      const { NotificationQueue, SlowNotificationQueue, NotificationQueueDeadLetters } = queue_urls;
      const [queue = 0, slow = 0, deadLetters = 0] = await Promise.all(
        [NotificationQueue, SlowNotificationQueue, NotificationQueueDeadLetters].map(async (QueueUrl) => {
          const { Attributes = {} } = await running.sqs.send(
            new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
          );
          return (['', 'NotVisible', 'Delayed'] as const)
            .map((which) => Number(Attributes[`ApproximateNumberOfMessages${which}`]))
            .reduce((sum, count) => sum + count, 0);
        }),
      );
      return { queue: queue + slow, deadLetters };
    },

    close: () => end('SIGKILL'),
  };
}

const familyOf = ({ pid }: ChildProcess) =>
  pid === undefined ? [] : descendants(pid).map((descendant) => descendant.pid);

/** Whether a line has level error or reports an error of the world itself. */
function isError(line: string): boolean {
  const start = line.indexOf('{');
  if (start < 0) return /^\w*Error\b/.test(line);
  try {
    return (JSON.parse(line.slice(start)) as { level?: string }).level === 'ERROR';
  } catch {
    return line.includes('Error');
  }
}
