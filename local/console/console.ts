import type { World } from '../world.ts';
import { type ConsoleOptions, serveConsole } from './server.ts';
import { Stream } from './stream.ts';
import { TableWatch } from './table-watch.ts';

/** The console of a world: it hears what happens from the world's start on, and is served once the world runs. */
export function openConsole() {
  const stream = new Stream();
  let tableWatch: TableWatch | undefined;
  return {
    /** For the simulated platform. */
    watch: stream.publish,
    /** For the calls of AWS services. */
    onAwsCall: () => tableWatch?.touched(),
    serve({ description, table }: World, options: Pick<ConsoleOptions, 'port' | 'assets' | 'hosts'>) {
      tableWatch = new TableWatch(table, stream);
      return serveConsole({ ...options, world: description, table, stream, tableWatch });
    },
  };
}
