import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '#infra/app.ts';
import { buildFunctions } from '#infra/build.ts';
import { root } from '#infra/paths.ts';
import type { Settings } from '#infra/settings.ts';
import type { Judge, Tools, Verdict } from './judge.ts';

const run = promisify(execFile);

/** Each setting with a value of its own. A domain of the operator's makes the address, too, so it has a test apart. */
const withDomain: Required<Settings> = {
  stage: 'staging',
  like: 'dev',
  architecture: 'x86_64',
  domainName: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0198a000-0000-7000-8000-000000000001',
  baseUrl: 'https://api.example.com',
  alarmEmail: 'operator@example.com',
  graphVersion: 'v24.0',
  upstreamBaseUrl: 'https://graph.example.com',
  mediaHosts: 'media.example.com',
  reservedConcurrency: 'on',
  existingTable: 'messaging-restored',
  existingSecret: 'messaging/kept/upstream',
  samLocal: 'true',
};
const { domainName: _, certificateArn: __, ...withAddress } = withDomain;

const deployments: Settings[] = [
  { stage: 'dev' },
  { stage: 'prod' },
  withDomain,
  { ...withAddress, like: 'prod', reservedConcurrency: 'off' },
];

/** Those that together have every type of resource. */
const inEveryRegion = new Set([deployments[1], withDomain]);

/** cfn-lint, on the templates of all settings in all regions, and zizmor, on the workflow of GitHub. */
export const templates: Judge = {
  name: 'templates',
  judge: async (tools) => [await cfnLint(tools), await zizmor(tools)],
};

interface Finding {
  Filename: string;
  Location: { Path: (string | number)[] };
  Message: string;
  Rule: { Id: string };
}

async function cfnLint({ command, version, temporary }: Tools): Promise<Verdict> {
  const functionsDirectory = join(temporary, 'functions');
  await buildFunctions(functionsDirectory);
  const findings = await Promise.all(
    deployments.map(async (context, index) => {
      const outdir = join(temporary, String(index));
      const [stack] = createApp({ context, functionsDirectory, outdir }).synth().stacks;
      const regions = inEveryRegion.has(context) ? 'ALL_REGIONS' : 'us-east-1';
      return findingsOf(command('cfn-lint'), join(outdir, stack?.templateFile ?? ''), regions);
    }),
  );
  return {
    judge: 'cfn-lint',
    version: version('cfn-lint'),
    tried: `${deployments.length} templates with every setting, ${inEveryRegion.size} in every region`,
    faults: findings
      .flat()
      .map(({ Filename, Location, Message, Rule }) => `${Rule.Id} ${Filename} ${Location.Path.join('/')}: ${Message}`),
  };
}

/** Asks for information and experimental rules, too. */
async function findingsOf(cfnLintPath: string, template: string, regions: string): Promise<Finding[]> {
  const options = ['--regions', regions, '--include-checks', 'I', '--include-experimental'];
  const output = ['--format', 'json', '--non-zero-exit-code', 'none'];
  const { stdout } = await run(cfnLintPath, [...options, ...output, '--template', template], { maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}

interface Audit {
  ident: string;
  desc: string;
  locations: { symbolic: { route: unknown; key: unknown } }[];
}

async function zizmor({ command, version }: Tools): Promise<Verdict> {
  const workflows = join(root, '.github/workflows');
  const options = ['--offline', '--strict-collection', '--no-exit-codes', '--format', 'json'];
  const { stdout } = await run(command('zizmor'), [...options, workflows]);
  const audits: Audit[] = JSON.parse(stdout);
  return {
    judge: 'zizmor',
    version: version('zizmor'),
    tried: 'the workflow of GitHub',
    faults: audits.map(({ ident, desc, locations }) => `${ident}: ${desc}, ${JSON.stringify(locations[0]?.symbolic)}`),
  };
}
