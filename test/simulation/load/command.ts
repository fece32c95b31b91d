import { parseArgs } from 'node:util';
import { defaultLoad, type LoadOptions } from './load-options.ts';
import { describeLoad, findFaults } from './load-report.ts';
import { runLoad } from './run-load.ts';

export const loadUsage = `  npm run simulate -- --load               the service under load, with all the time that it takes simulated
  --notifications 100000   one for each event and target
  --rate 1000              events a second, at random times, whether or not the service keeps up
  --in-tens                ten events in each request of the platform instead of one
  --numbers 100            numbers whose receivers respond after 20 to 200 ms
  --targets 1              2: each event is also for secondary_webhook
  --statuses 0             statuses that follow each message
  --slow 0.1               part of the numbers, and of the events, whose receivers respond after 2 s
  --failing 0.5            part of the attempts at receivers that respond which get an error
  --hanging 0.5            part of them that get no response in time
  --dead 0.1               part of the events for numbers with dead receivers: half hang, half take no connection
  --dead-targets 10        how many such numbers there are, beside the others
  --dead-for-long          their breakers are open already; otherwise all of them die when the load begins
  --concurrency 160        batches that deliver-notifications handles at once
  --slow-concurrency 20    batches for slow targets that it handles at once, beside these
  --servers 3              servers of a queue that share its messages; with one, what is sent together is received together
  --cold-start             deliver-notifications scales up from 5 batches at once, as Lambda does for an idle queue
  --last-first             Lambda uses the environment again that was busy last; otherwise any idle one
`;

/** Runs a load from the command line; returns the exit code. */
export async function simulateLoad(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const startedAt = performance.now();
  const result = await runLoad(options);
  console.log(describeLoad(result).join('\n'));
  const { user, system } = process.cpuUsage();
  const cpuSeconds = ((user + system) / 1e6).toFixed(0);
  console.log(`\nIt took ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${cpuSeconds} s of CPU time.`);
  const faults = findFaults(result);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

function readOptions(args: readonly string[]): LoadOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ load: flag, seed: text, notifications: text, rate: text, numbers: text, targets: text, statuses: text },
      ...{
        slow: text,
        failing: text,
        hanging: text,
        dead: text,
        'dead-targets': text,
        concurrency: text,
        'slow-concurrency': text,
        servers: text,
      },
      ...{ 'in-tens': flag, 'dead-for-long': flag, 'cold-start': flag, 'last-first': flag },
    },
  });
  const number = (name: keyof typeof values, otherwise: number) => {
    const value = Number(values[name] ?? otherwise);
    if (!(value >= 0)) throw new Error(`--${name} takes a number, not "${values[name]}".`);
    return value;
  };
  const numbers = number('numbers', defaultLoad.numbers);
  const dead = number('dead', defaultLoad.dead);
  return {
    ...defaultLoad,
    seed: number('seed', defaultLoad.seed),
    notifications: number('notifications', defaultLoad.notifications),
    rate: number('rate', defaultLoad.rate),
    numbers,
    targets: number('targets', defaultLoad.targets) === 2 ? 2 : 1,
    statuses: number('statuses', defaultLoad.statuses),
    perRequest: values['in-tens'] ? 10 : 1,
    slow: number('slow', defaultLoad.slow),
    failing: number('failing', defaultLoad.failing),
    hanging: number('hanging', defaultLoad.hanging),
    dead,
    deadNumbers: number('dead-targets', Math.ceil(dead * numbers)),
    deadForLong: values['dead-for-long'],
    concurrency: number('concurrency', defaultLoad.concurrency),
    slowConcurrency: number('slow-concurrency', defaultLoad.slowConcurrency),
    servers: number('servers', defaultLoad.servers),
    coldStart: values['cold-start'],
    lastFirst: values['last-first'],
  };
}
