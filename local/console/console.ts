import type { World } from '../world.ts';
import { DeliveryWatch } from './deliveries.ts';
import { type ConsoleOptions, serveConsole } from './server.ts';
import { Stream } from './stream.ts';

/** The console of a world: it hears what happens from the world's start on, and is served once the world runs. */
export function openConsole() {
  const stream = new Stream();
  let deliveries: DeliveryWatch | undefined;
  return {
    /** For the simulated platform. */
    watch: stream.publish,
    /** For the calls of AWS services. */
    onAwsCall: () => deliveries?.touched(),
    serve({ description, table }: World, options: Pick<ConsoleOptions, 'port' | 'assets' | 'hosts'>) {
      deliveries = new DeliveryWatch(table, stream);
      return serveConsole({ ...options, world: description, table, stream, deliveries });
    },
  };
}
