/**
 * The local world in a process of its own, for a test to kill:
 * `node world-process.ts TEMPLATE_FILE DATA_DIR VARIABLES`, the variables as JSON. When it is ready, it prints its
 * description as one line of JSON.
 */
import { startWorld } from '#local/world.ts';

const [templateFile = '', dataDir = '', variables = '{}'] = process.argv.slice(2);

const world = await startWorld({
  templateFile,
  dataDir,
  fresh: false,
  ports: { api: 0, upstream: 0 },
  clockOffsetSeconds: 0,
  sweepSeconds: 1,
  environment: JSON.parse(variables),
  onLog: (functionName, line) => console.error(functionName, line),
  onError: (error) => console.error(error),
});
console.log(JSON.stringify(world.description));
