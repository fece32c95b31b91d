import { describe, expect, it } from 'vitest';
import { readWords } from './words.ts';

const read = (words: string[], environment = {}) => {
  const { context, flags, problems } = readWords(words, ['yes', 'dry-run'], environment);
  return { context, flags: [...flags], problems };
};

describe('a command line', () => {
  it.each([[['--alarm-email', 'a@example.com']], [['--alarm-email=a@example.com']]])(
    'takes a setting with hyphens: %j',
    (words) => {
      expect(read(words)).toEqual({ context: { 'alarm-email': 'a@example.com' }, flags: [], problems: [] });
    },
  );

  it.each([
    [['--alarmEmail', 'a@example.com']],
    [['-c', 'alarmEmail=a@example.com']],
    [['--context', 'alarmEmail=a@example.com']],
    [['--context=alarmEmail=a@example.com']],
  ])('takes a setting in camel case: %j', (words) => {
    expect(read(words)).toEqual({ context: { alarmEmail: 'a@example.com' }, flags: [], problems: [] });
  });

  it('takes flags among the settings', () => {
    expect(read(['--yes', '--stage', 'prod', '--dry-run'])).toEqual({
      context: { stage: 'prod' },
      flags: ['yes', 'dry-run'],
      problems: [],
    });
  });

  it.each([
    [['--alarm-mail', 'a@example.com'], 'There is no option --alarm-mail. There are --stage, --like, '],
    [['--alarmmail=a@example.com'], 'There is no option --alarmmail. There are '],
    [['-stage', 'prod'], 'There is no option -stage. There are --stage'],
    [['--dryrun'], ', --yes, --dry-run.'],
    [['prod'], '"prod" is not an option. Options begin with --.'],
    [['--stage'], '--stage needs a value.'],
    [['--stage', '--yes'], '--stage needs a value.'],
    [['--stage', 'dev', '--stage', 'prod'], '--stage is given twice.'],
    [['-c', 'stage'], '-c takes name=value, not "stage".'],
    [['-c'], '-c takes name=value, not "".'],
    [['-c', 'alarm:email=a@example.com'], 'There is no setting alarm:email. '],
    [['-c', 'messaging/alarmEmail=a@example.com'], 'There is no setting messaging/alarmEmail. There are stage, '],
    [['-c', '@aws-cdk/core:stackRelativeExports=false'], 'There is no setting @aws-cdk/core:stackRelativeExports. '],
    [['--profile', 'prod'], 'There is no option --profile. Set AWS_PROFILE instead.'],
    [['--region=eu-west-1'], 'There is no option --region. Set AWS_REGION instead.'],
    [['--yes=no'], '--yes takes no value.'],
  ])('does not pass over %j', (words, problem) => {
    expect(read(words).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('names everything that is wrong', () => {
    expect(read(['--stge', 'prod', '--alarm', 'x', '--dry']).problems).toHaveLength(3);
  });

  it('notices what npm took for itself, as in "npm run deploy --stage prod"', () => {
    const { problems } = read(['prod'], { npm_config_stage: 'true', npm_config_alarm_email: 'a@example.com' });
    expect(problems).toEqual([
      expect.stringContaining('npm took --stage, --alarm-email for options of its own'),
      expect.stringContaining('"prod" is not an option'),
    ]);
  });

  it('does not pass over a --dry-run that npm took, as in "npm run deploy --dry-run -- --stage prod"', () => {
    expect(read(['--stage', 'prod'], { npm_config_dry_run: 'true' }).problems).toEqual([
      expect.stringContaining('npm took --dry-run for an option of its own'),
    ]);
  });

  it('does not take an option that npm always reports for one that was given', () => {
    expect(read(['--stage', 'prod'], { npm_config_yes: '', npm_config_dry_run: '' }).problems).toEqual([]);
  });
});
