import { relative } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { App } from 'aws-cdk-lib';
import { stackNameOf } from '#shared/operations/stage.ts';
import cdkJson from '../cdk.json' with { type: 'json' };
import { readConfig, SettingError } from './config.ts';
import { MessagingStack } from './messaging-stack.ts';
import { assemblyDirectory, functionsDirectory } from './paths.ts';
import { addSettingOptions, typedSettings } from './settings.ts';

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
  new MessagingStack(app, stackNameOf(config.stage), { config, functionsDirectory });
  return app;
}

if (import.meta.main) {
  const outdir = process.env.CDK_OUTDIR ?? assemblyDirectory;
  try {
    const command = addSettingOptions(new Command('npm run synth --')).parse();
    const context = typedSettings(command.opts());
    const { stacks } = createApp({ context, functionsDirectory, outdir }).synth();
    // The CDK's command line, which sets this variable, prints what it does itself.
    if (process.env.CDK_OUTDIR === undefined) {
      console.log(`Synthesised ${stacks.map(({ stackName }) => stackName).join(', ')} in ${relative('', outdir)}.`);
    }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
