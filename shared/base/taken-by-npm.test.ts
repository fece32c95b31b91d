import { describe, expect, it } from 'vitest';
import { describeTaken, takenByNpm } from './taken-by-npm.ts';

const options = ['stage', 'alarm-email', 'graph-version', 'dry-run', 'yes', 'c', 'local', 'no-calling', 'live'];

describe('takenByNpm', () => {
  it.each([
    ['npm_config_stage', 'true', '--stage'],
    ['npm_config_alarm_email', 'a@b', '--alarm-email'],
    ['npm_config_alarmemail', 'a@b', '--alarm-email'],
    ['npm_config_dryrun', 'true', '--dry-run'],
    ['npm_config_dry_run', 'true', '--dry-run'],
    ['npm_config_call', 'alarmEmail=a@b', '-c'],
    ['npm_config_calling', '', '--no-calling'],
  ])('notices %s=%s', (name, value, option) => {
    expect(takenByNpm(options, { [name]: value })).toEqual([option]);
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

it('describeTaken says what was typed, and what to type', () => {
  const taken = takenByNpm(options, { npm_config_stage: 'true', npm_config_alarm_email: 'a@b' });
  expect(describeTaken(taken.slice(0, 1), 'npm start --', '--stage')).toBe(
    'npm took --stage for an option of its own, and nothing was done. Put -- before all options: npm start -- --stage',
  );
  expect(describeTaken(taken, 'npm run deploy --')).toMatch(
    /^npm took --stage, --alarm-email for options of its own, .* npm run deploy -- --stage … --alarm-email …$/,
  );
});
