import { describe, expect, it } from 'vitest';
import { describeTaken, takenByNpm } from './taken-by-npm.ts';

const options = ['stage', 'alarm-email', 'graph-version', 'dry-run', 'yes', 'c', 'local', 'no-calling', 'live'];

describe('takenByNpm', () => {
  it.each([
    ['npm_config_stage', 'true', '--stage', '--stage'],
    ['npm_config_alarm_email', 'a@b', '--alarm-email', '--alarm-email'],
    ['npm_config_alarmemail', 'a@b', '--alarm-email', '--alarm-email'],
    ['npm_config_alarm_mail', 'a@b', '--alarm-mail', '--alarm-email'],
    ['npm_config_dryrun', 'true', '--dry-run', '--dry-run'],
    ['npm_config_dry_run', 'true', '--dry-run', '--dry-run'],
    ['npm_config_call', 'alarmEmail=a@b', '-c', '-c'],
    ['npm_config_calling', '', '--no-calling', '--no-calling'],
  ])('notices %s=%s', (name, value, written, meant) => {
    expect(takenByNpm(options, { [name]: value })).toEqual([{ written, meant }]);
  });

  it('does not complain about what npm reports of itself, or about settings of other packages', () => {
    const environment = {
      npm_config_yes: 'true',
      npm_config_json: 'true',
      npm_config_dry_run: '',
      npm_config_live: 'false',
      npm_config_call: '',
      npm_config_audit: 'false',
      npm_config_cache: '/home/someone/.npm',
      npm_config_global: 'true',
      npm_config_npm_version: '11.19.1',
      npm_config_local_prefix: '/home/someone/messaging-service',
      npm_config_user_agent: 'npm/11.19.1 node/v24.21.0 linux x64 workspaces/false',
      npm_config_registry: 'https://npm.example.com/',
      npm_config_puppeteer_skip_download: 'true',
      npm_package_name: 'stage',
      stage: 'dev',
    };
    expect(takenByNpm(options, environment)).toEqual([]);
  });
});

it('describeTaken says what was typed, what was meant, and what to type', () => {
  const [stage, mail] = takenByNpm(options, { npm_config_stage: 'true', npm_config_alarm_mail: 'a@b' });
  if (!stage || !mail) throw new Error('Two options were taken.');
  expect(describeTaken([stage], 'npm start --', '--stage')).toBe(
    'npm took --stage for an option of its own, and nothing was done. Put -- before all options: npm start -- --stage',
  );
  expect(describeTaken([stage, mail], 'npm start --')).toMatch(
    /^npm took --stage, --alarm-mail for options of its own, and nothing was done\. Did you mean --alarm-email\? Put /,
  );
});
