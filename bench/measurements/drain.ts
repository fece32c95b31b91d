import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { deliveryId } from '#shared/domain/deliveries/delivery-id.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { type BenchNumber, type Pipeline, warmUp, withPipeline } from '../world/pipeline.ts';
import { notificationOf, textMessage } from '../world/signed-event.ts';

const outage = 10_000;
const numbersOut = 20;
const writersAtOnce = 32;
const seconds = 15;

/**
 * Measures how fast held notifications of several numbers go out when the owners resume the targets after an outage.
 */
export async function measureDrain(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { world, outside, createNumbers } = pipeline;
    const numbers = await createNumbers(Array.from({ length: numbersOut }, (_, index) => `/${index}`));
    await warmUp(pipeline, numbers);
    await holdNotifications(world, numbers);
    const arrivals = outside.arrivals(outage, seconds * 1000);
    await Promise.all(numbers.map((number) => resume(world, number)));
    const times = await arrivals;
    const [first = 0, last = 0] = [times.at(0), times.at(-1)];
    return [
      {
        what: `Drain of ${outage} held for ${numbersOut} numbers, over ${seconds} s`,
        value: ((times.length - 1) * 1000) / (last - first),
        unit: 'a second',
      },
    ];
  });
}

/** Creates the state after an outage: open circuit breakers, and an equal share of the backlog for each number. */
async function holdNotifications({ table }: Pipeline['world'], numbers: readonly BenchNumber[]): Promise<void> {
  const [breakers, deliveries] = [breakerStore(table), deliveryStore(table)];
  const now = Date.now();
  const never = now + 3_600_000;
  await Promise.all(numbers.map(({ id, webhook }) => breakers.open(id, 'webhook', now, never, webhook)));
  const ordinals = Array(outage).keys();
  const write = async () => {
    for (const ordinal of ordinals) {
      const subscriber = numbers[ordinal % numbers.length]?.id ?? '';
      const message = textMessage();
      const id = deliveryId({ subscriber, target: 'webhook', key: message.id, timestampMs: now });
      const payload = { text: notificationOf(message) };
      await deliveries.hold(
        {
          task: 'deliver',
          subscriber,
          target: 'webhook',
          id,
          kind: 'message',
          payload,
          created_at: now,
          target_version: 1,
        },
        now,
      );
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, write));
}

/** Resumes a target through the API, as its owner would. */
async function resume({ description }: Pipeline['world'], { id }: BenchNumber): Promise<void> {
  const response = await fetch(`${description.base_url}/v2/messaging/numbers/${id}/webhook/resume`, {
    method: 'POST',
    headers: { authorization: `Bearer ${description.tokens.owner}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`Resuming answered ${response.status} ${await response.text()}`);
}
