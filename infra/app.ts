import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { readConfig, SettingError } from './config.ts';
import { MessagingStack } from './messaging-stack.ts';
import { assemblyDirectory, functionsDirectory } from './paths.ts';

export interface AppOptions {
  /** CDK context with the deployment's settings, see `config.ts`. */
  context?: Record<string, unknown>;
  /** The folder with the built functions, each in a folder of its own. */
  functionsDirectory: string;
  /** The output folder for the cloud assembly. */
  outdir: string;
}

/**
 * Creates the CDK app, which works with and without the CDK's command line: `synth()` needs neither network nor
 * credentials.
 */
export function createApp({ context = {}, functionsDirectory, outdir }: AppOptions): App {
  const app = new App({
    outdir,
    analyticsReporting: cdkJson.versionReporting,
    treeMetadata: false,
    stackTraces: false,
    builtinCloudFormationValidation: false,
    context: {
      ...cdkJson.context,
      'aws:cdk:enable-asset-metadata': cdkJson.assetMetadata,
      'aws:cdk:enable-path-metadata': cdkJson.pathMetadata,
      ...context,
    },
  });
  const config = readConfig(app.node.getAllContext());
  new MessagingStack(app, `messaging-${config.stage}`, { config, functionsDirectory });
  return app;
}

/** Parses `-c name=value` arguments as the CDK's command line does. */
function contextArguments(): Record<string, string> {
  const { values } = parseArgs({ options: { context: { type: 'string', short: 'c', multiple: true } } });
  return Object.fromEntries(
    (values.context ?? []).map((argument) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(argument) ?? [];
      if (name === undefined || value === undefined) throw new SettingError(`-c takes name=value, not "${argument}"`);
      return [name, value];
    }),
  );
}

if (import.meta.main) {
  const outdir = process.env.CDK_OUTDIR ?? assemblyDirectory;
  try {
    createApp({ context: contextArguments(), functionsDirectory, outdir }).synth();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
