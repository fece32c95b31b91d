import type { Access } from '../aws/base/signatures/aws-access.ts';
import type { World } from '../world.ts';
import type { WorldAddresses } from '../world-description.ts';
import { type LiveConsoleOptions, serveLiveConsole } from './live-server.ts';
import { type ConsoleOptions, serveConsole } from './server.ts';
import { Stream } from './stream.ts';
import { TableWatch } from './table-watch.ts';

const writes = /^dynamodb:(Put|Update|Delete|BatchWrite)/;

/** The console of a world: it hears what happens from the world's start on, and is served once the world runs. */
export function openConsole() {
  const stream = new Stream();
  let tableWatch: TableWatch | undefined;
  return {
    /** For the simulated platform. */
    watch: stream.publish,
    /** For the calls of AWS services. The console reads the table, too, which must not make it read again. */
    onAwsCall({ action, context }: Access) {
      if (action === 'lambda:InvokeFunction') tableWatch?.functionEnded();
      else if (writes.test(action)) tableWatch?.writing(context?.['dynamodb:LeadingKeys'] ?? []);
    },
    serve(world: World, options: Pick<ConsoleOptions, 'port' | 'assets' | 'hosts' | 'reset'>) {
      tableWatch = new TableWatch(world.table, stream);
      return serveConsole({ ...options, world, stream, tableWatch });
    },
    serveLive(world: World<WorldAddresses>, options: Pick<LiveConsoleOptions, 'port' | 'assets' | 'hosts' | 'prefix'>) {
      tableWatch = new TableWatch(world.table, stream);
      return serveLiveConsole({ ...options, world, stream, tableWatch });
    },
  };
}
