import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chosenSettings } from './chosen-settings.ts';

it('reads the files of the CDK in the order in which they count', () => {
  const [home, project] = [mkdtempSync(join(tmpdir(), 'home-')), mkdtempSync(join(tmpdir(), 'project-'))];
  const write = (folder: string, name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  write(home, '.cdk.json', { context: { stage: 'home', like: 'dev', architecture: 'arm64' } });
  write(project, 'cdk.context.json', { stage: 'context', like: 'prod' });
  write(project, 'cdk.json', { app: 'x', context: { stage: 'project' } });
  const chosen = chosenSettings({}, {}, home, project);
  for (const folder of [home, project]) rmSync(folder, { recursive: true });
  expect(chosen).toEqual({
    settings: { stage: 'project', like: 'prod', architecture: 'arm64' },
    problems: [],
    notices: [
      'The setting stage is project in cdk.json.',
      'The setting like is prod in cdk.context.json.',
      'The setting architecture is arm64 in ~/.cdk.json.',
    ],
  });
});
