import { describe, expect, it } from 'vitest';
import { takenByNpm } from './taken-by-npm.ts';

const options = ['stage', 'alarm-email', 'graph-version', 'dry-run', 'yes', 'c', 'local'];
const before = 'Put -- before the options: npm run … --';

describe('takenByNpm', () => {
  it.each([
    ['npm_config_stage', 'true', `npm took --stage for an option of its own. ${before} --stage …`],
    ['npm_config_alarm_email', 'a@b', `npm took --alarm-email for an option of its own. ${before} --alarm-email …`],
    ['npm_config_alarmemail', 'a@b', `npm took --alarm-email for an option of its own. ${before} --alarm-email …`],
    [
      'npm_config_alarm_mail',
      'a@b',
      `npm took --alarm-mail for an option of its own. Did you mean --alarm-email? ${before} --alarm-email …`,
    ],
    ['npm_config_dryrun', 'true', `npm took --dry-run for an option of its own. ${before} --dry-run …`],
    ['npm_config_dry_run', 'true', `npm took --dry-run for an option of its own. ${before} --dry-run …`],
    ['npm_config_call', 'alarmEmail=a@b', `npm took -c for an option of its own. ${before} -c …`],
  ])('notices %s=%s', (name, value, problem) => {
    expect(takenByNpm(options, { [name]: value })).toEqual([problem]);
  });

  it('does not complain about what npm reports of itself, or about settings of other packages', () => {
    const environment = {
      npm_config_yes: 'true',
      npm_config_dry_run: '',
      npm_config_call: '',
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
