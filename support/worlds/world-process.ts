/**
 * The local world in a process of its own, so that a test can kill it: `node world-process.ts TEMPLATE_FILE DATA_DIR
 * VARIABLES`, the variables as JSON. When it is ready, it prints its description as one line of JSON.
 */
import { startWorld } from '#local/world.ts';
import { servicesOfMoto } from '../aws/moto-services.ts';
import { worldDefaults } from './world-defaults.ts';

const [templateFile = '', dataDir = '', variables = '{}'] = process.argv.slice(2);

const world = await startWorld({
  ...worldDefaults,
  templateFile,
  dataDir,
  sweepSeconds: 1,
  dynamoDbUrl: process.env.AWS_ENDPOINT_URL_DYNAMODB,
  startServices: servicesOfMoto(process.env.MOTO_SERVER),
  environment: JSON.parse(variables),
  onLog: (functionName, line) => console.error(functionName, line),
  onError: (error) => console.error(error),
});
console.log(JSON.stringify(world.description));
