import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OptionError, readOptions } from './options.ts';

const flagsOf = (argv: readonly string[]) => Object.fromEntries(argv.map((word) => [word.slice(2), true]));

const optionsOf = (environment: Record<string, string>, argv: string[] = []) =>
  readOptions(flagsOf(argv), environment, '/project/.local');

describe('readOptions', () => {
  it('has a default for every option', () => {
    expect(optionsOf({})).toEqual({
      fresh: false,
      demo: false,
      json: false,
      publicUrl: undefined,
      dataDir: '/project/.local',
      ports: { api: 3000, upstream: 3001, console: 3002, public: 3003 },
      hosts: [],
      upstreamBaseUrl: undefined,
      upstreamAccessToken: undefined,
      dynamoDbUrl: undefined,
      clockOffsetSeconds: 0,
      sweepSeconds: undefined,
      environment: {},
    });
  });

  it('treats an empty variable as missing', () => {
    const names = ['PORT', 'SWEEP_SECONDS', 'DELIVERY_RETRY_SCHEDULE', 'DELIVERY_TIMEOUT_MS', 'UPSTREAM_BASE_URL'];
    expect(optionsOf(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(optionsOf({}));
  });

  it('reads every option from the environment and the arguments', () => {
    const environment = {
      PORT: '0',
      UPSTREAM_PORT: '4001',
      PUBLIC_PORT: '4003',
      CONSOLE_PORT: '4002',
      LOCAL_DATA_DIR: '/elsewhere',
      LOCAL_HOSTS: 'host.docker.internal,Dev.example',
      UPSTREAM_BASE_URL: 'https://graph.example.com/',
      UPSTREAM_ACCESS_TOKEN: 'token',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000',
      CLOCK_OFFSET_SECONDS: '86400',
      SWEEP_SECONDS: '1',
      DELIVERY_RETRY_SCHEDULE: '0,0.5,43200',
      DELIVERY_TIMEOUT_MS: '500',
      UPSTREAM_MEDIA_HOSTS: 'Files.example.com',
    };
    expect(optionsOf(environment, ['--fresh', '--demo', '--json'])).toEqual({
      fresh: true,
      demo: true,
      json: true,
      publicUrl: undefined,
      dataDir: '/elsewhere',
      ports: { api: 0, upstream: 4001, console: 4002, public: 4003 },
      hosts: ['host.docker.internal', 'dev.example'],
      upstreamBaseUrl: 'https://graph.example.com',
      upstreamAccessToken: 'token',
      dynamoDbUrl: 'http://127.0.0.1:8000',
      clockOffsetSeconds: 86_400,
      sweepSeconds: 1,
      environment: {
        DELIVERY_RETRY_SCHEDULE: '0,0.5,43200',
        DELIVERY_TIMEOUT_MS: '500',
        UPSTREAM_MEDIA_HOSTS: 'files.example.com',
      },
    });
  });

  it.each([
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, not "http".'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
    ['CLOCK_OFFSET_SECONDS', '-1', 'CLOCK_OFFSET_SECONDS must be a whole number from 0'],
    ['SWEEP_SECONDS', '0', 'SWEEP_SECONDS must be a whole number from 1 to 86400, not "0".'],
    ['SWEEP_SECONDS', '1.5', 'SWEEP_SECONDS must be a whole number from 1 to 86400, not "1.5".'],
    ['DELIVERY_TIMEOUT_MS', '0', 'DELIVERY_TIMEOUT_MS must be a whole number from 1 to 25000, not "0".'],
    ['DELIVERY_TIMEOUT_MS', '25001', 'DELIVERY_TIMEOUT_MS must be a whole number from 1 to 25000, not "25001".'],
    ['DELIVERY_TIMEOUT_MS', '10s', 'DELIVERY_TIMEOUT_MS must be a whole number from 1 to 25000, not "10s".'],
    ['UPSTREAM_BASE_URL', 'graph.example.com', 'UPSTREAM_BASE_URL must be an http or https URL'],
    ['UPSTREAM_BASE_URL', 'http://127.0.0.1:9', 'UPSTREAM_BASE_URL names port 9, which Node and browsers block.'],
    ['AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:6000', 'AWS_ENDPOINT_URL_DYNAMODB names port 6000'],
    ['DELIVERY_RETRY_SCHEDULE', '10,', 'DELIVERY_RETRY_SCHEDULE must be seconds from 0 to 43200'],
    ['DELIVERY_RETRY_SCHEDULE', '43201', 'DELIVERY_RETRY_SCHEDULE must be seconds from 0 to 43200'],
    ['AWS_ENDPOINT_URL_DYNAMODB', 'https://127.0.0.1:8000', 'AWS_ENDPOINT_URL_DYNAMODB must be http://'],
  ])('rejects %s=%s in one line', (name, value, message) => {
    expect(() => optionsOf({ [name]: value })).toThrow(OptionError);
    expect(() => optionsOf({ [name]: value })).toThrow(message);
  });
});

describe('the options of a live world', () => {
  const live = { PUBLIC_URL: 'https://example.ngrok.app/', XDG_DATA_HOME: '/home/ana/data', PORT: '4000' };

  it.runIf(process.platform === 'linux')('keep its data outside the repository', () => {
    const options = optionsOf(live, ['--live']);
    expect(options).toMatchObject({
      publicUrl: 'https://example.ngrok.app',
      dataDir: '/home/ana/data/messaging-service/live',
    });
    expect(optionsOf({ ...live, LOCAL_DATA_DIR: '/mine' }, ['--live']).dataDir).toBe('/mine');
  });

  describe('reject a data folder inside the repository, where credentials could be committed or deleted', () => {
    const inFolder = (environment: Record<string, string>, repository = '/project') =>
      readOptions({ live: true }, { PUBLIC_URL: live.PUBLIC_URL, ...environment }, join(repository, '.local'));
    const rejected = (cause: string, folder: string) =>
      `${cause} leads to ${folder}, inside the repository, and a live world keeps credentials there`;

    it.each(['/project', '/project/live', '/project/.local', '/project/.local/live', '/project/docs/../live'])(
      'as LOCAL_DATA_DIR: %s',
      (LOCAL_DATA_DIR) => {
        const start = () => inFolder({ LOCAL_DATA_DIR });
        expect(start).toThrow(rejected('LOCAL_DATA_DIR', resolve(LOCAL_DATA_DIR)));
        expect(start).toThrow(/Set LOCAL_DATA_DIR to a folder elsewhere, or unset it\.$/);
      },
    );

    it.skipIf(process.platform === 'win32')('behind symbolic links', () => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'links-')));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const [repository, elsewhere] = [join(folder, 'repository'), join(folder, 'elsewhere')];
      for (const each of [repository, elsewhere]) mkdirSync(each);
      symlinkSync(repository, join(elsewhere, 'inside'));
      symlinkSync(repository, join(folder, 'link'));
      symlinkSync(elsewhere, join(repository, 'outside'));
      const LOCAL_DATA_DIR = join(elsewhere, 'inside/new/live');
      const message = rejected('LOCAL_DATA_DIR', join(repository, 'new/live'));
      for (const root of [repository, join(folder, 'link')]) {
        expect(() => inFolder({ LOCAL_DATA_DIR }, root)).toThrow(message);
        expect(() => inFolder({ LOCAL_DATA_DIR: join(root, 'outside/live') }, root)).not.toThrow();
      }
    });

    it('but no other folder, and none of the simulated world', () => {
      for (const folder of ['/project-live', '/']) expect(inFolder({ LOCAL_DATA_DIR: folder }).dataDir).toBe(folder);
      expect(optionsOf({ LOCAL_DATA_DIR: '/project/mine' }).dataDir).toBe('/project/mine');
    });
  });

  it('do not start the simulated world instead if --live is forgotten', () => {
    const start = (PUBLIC_URL: string, ...argv: string[]) => optionsOf({ ...live, PUBLIC_URL }, argv);
    const url = live.PUBLIC_URL;
    expect(() => start(url)).toThrow(OptionError);
    expect(() => start(url)).toThrow('PUBLIC_URL is for the live world: type ./messaging start --live.');
    expect(start('')).toMatchObject({ publicUrl: undefined, dataDir: '/project/.local' });
  });

  it.each([
    'http://example.com',
    'https://example.com/path',
    'https://me@example.com',
    'example.com',
    'https://localhost',
  ])('reject %s as PUBLIC_URL in one line', (PUBLIC_URL) => {
    const message = `PUBLIC_URL must be https:// and the host of your tunnel, such as https://example.ngrok.app, not "${PUBLIC_URL}".`;
    expect(() => optionsOf({ PUBLIC_URL }, ['--live'])).toThrow(new OptionError(message));
  });

  it.each([
    [['--live', '--fresh'], {}, '--fresh would delete the credentials'],
    [['--live', '--demo'], {}, '--demo needs the workspace of the simulated platform'],
    [['--live'], { UPSTREAM_ACCESS_TOKEN: 'EAA' }, 'with: ./messaging upstream set --live'],
    [
      ['--live'],
      { UPSTREAM_ACCESS_TOKEN: 'EAA', LOCAL_DATA_DIR: '/mine' },
      'with: LOCAL_DATA_DIR=/mine ./messaging upstream set --live',
    ],
  ])('reject what does not belong there: %j %j', (argv, environment, message) => {
    expect(() => optionsOf({ ...live, ...environment }, argv)).toThrow(message);
  });
});
