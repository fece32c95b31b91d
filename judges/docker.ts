/**
 * `node judges/docker.ts`: starts an engine with the image for Lambda functions, prints how to reach it, and stops it when
 * it is stopped itself.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '#infra/paths.ts';
import { startProcess } from './process.ts';
import { cache, prints } from './python.ts';

/** The architecture of this machine, as Lambda calls it. */
export const architecture = process.arch === 'arm64' ? 'arm64' : 'x86_64';

/** AWS's Runtime Interface Client, which fetches events from Lambda's runtime API and calls the handler. */
const runtimeInterfaceClient = 'aws-lambda-ric@4.0.2';

/** What Node, the client and the commands of a Dockerfile need. */
const debianPackages = ['busybox-static', 'libc6', 'libgcc-s1', 'libstdc++6'];

const nodeFolder = join(root, `node_modules/node-linux-${process.arch}`);

/** The name that SAM gives to the image of Node 24. */
export const imageName = `public.ecr.aws/lambda/nodejs:24-${architecture}`;

/** The address of this machine, as seen from a container: Docker's default. */
export const bridgeAddress = '172.17.0.1';

export interface DockerEngine {
  /** The value of `DOCKER_HOST` for Docker's clients. */
  host: string;
  stop: () => Promise<void>;
}

/**
 * Starts an engine with a socket and a folder of its own. It changes neither firewall nor routes: from a container, only
 * this machine can be reached.
 *
 * @throws Error if it does not start, which needs root
 */
export async function startDocker(temporary: string): Promise<DockerEngine> {
  const folder = join(temporary, 'docker');
  mkdirSync(folder);
  const host = `unix://${folder}/socket`;
  const hadBridge = existsSync('/sys/class/net/docker0');
  const flags = ['--bip', `${bridgeAddress}/16`, '--iptables=false', '--ip-forward=false', '--ip-masq=false'];
  const places = ['--data-root', `${folder}/data`, '--exec-root', `${folder}/run`, '--pidfile', `${folder}/pid`];
  const daemon = startProcess('dockerd', [...flags, ...places, '--host', host]);
  const stop = async () => {
    await daemon.stop();
    if (!hadBridge) prints('ip', 'link', 'delete', 'docker0');
  };
  try {
    while (prints('docker', '--host', host, 'version', '--format', '{{.Server.Version}}') === '') {
      if (daemon.hasEnded()) throw new Error(`dockerd does not start, which needs root:\n${daemon.output()}`);
      await setTimeout(100);
    }
    return { host, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Gives the engine an image under the name that SAM asks for, as no registry may be in reach. AWS's own has Amazon
 * Linux and the same client; this one has Debian's libraries and the Node of `npm ci`.
 */
export function importLambdaImage({ host }: DockerEngine, temporary: string): void {
  const archive = join(cache, `lambda-${nodeVersion()}-${runtimeInterfaceClient}-${architecture}.tar`);
  if (!existsSync(archive)) {
    const folder = join(temporary, 'image');
    writeImage(folder, join(temporary, 'packages'));
    execFileSync('tar', ['-c', '-f', `${archive}.part`, '-C', folder, '--owner=0', '--group=0', '.']);
    renameSync(`${archive}.part`, archive);
    rmSync(folder, { recursive: true });
  }
  const variables = 'PATH=/var/lang/bin:/bin LAMBDA_TASK_ROOT=/var/task LAMBDA_RUNTIME_DIR=/var/runtime';
  const changes = ['--change', `ENV ${variables}`, '--change', 'WORKDIR /var/task'];
  execFileSync('docker', ['--host', host, 'import', ...changes, archive, imageName], { stdio: 'pipe' });
}

export function nodeVersion(): string {
  return JSON.parse(readFileSync(join(nodeFolder, 'package.json'), 'utf8')).version;
}

function writeImage(folder: string, packages: string): void {
  console.log('Building the image for Lambda functions, which takes a few minutes');
  for (const path of ['usr/bin', 'usr/lib', 'usr/lib64', 'var/task', 'var/lang/bin', 'var/runtime', 'opt']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  mkdirSync(join(folder, 'tmp'), { mode: 0o1777 });
  // Where today's Debian has its files; older packages have them at the old paths.
  for (const path of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${path}`, join(folder, path));
  mkdirSync(packages);
  execFileSync('apt-get', ['download', '--quiet', ...debianPackages], { cwd: packages, stdio: 'pipe' });
  const unpack =
    'for package in *.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$0"; done';
  execFileSync('sh', ['-ec', unpack, folder], { cwd: packages });
  for (const command of ['sh', 'mv', 'chmod']) symlinkSync('busybox', join(folder, 'bin', command));

  cpSync(join(nodeFolder, 'bin/node'), join(folder, 'var/lang/bin/node'));
  const client = join(packages, 'client');
  mkdirSync(client);
  writeFileSync(join(client, 'package.json'), '{}');
  // Its native part is compiled with the headers of this Node.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', client, runtimeInterfaceClient], {
    cwd: client,
    stdio: 'pipe',
    env: { ...process.env, npm_config_nodedir: nodeFolder },
  });
  cpSync(join(client, 'node_modules/aws-lambda-ric'), join(folder, 'var/runtime/client'), { recursive: true });
  const bootstrap = '#!/bin/sh\nexec /var/lang/bin/node /var/runtime/client/index.mjs "$_HANDLER"\n';
  writeFileSync(join(folder, 'var/runtime/bootstrap'), bootstrap, { mode: 0o755 });
}

if (import.meta.main) {
  const temporary = mkdtempSync(join(tmpdir(), 'docker-'));
  const engine = await startDocker(temporary);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void engine.stop().then(() => rmSync(temporary, { recursive: true })));
  }
  mkdirSync(cache, { recursive: true });
  importLambdaImage(engine, temporary);
  console.log(`export DOCKER_HOST=${engine.host}`);
}
