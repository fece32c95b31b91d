/** Error codes for undelivered messages, with what each one means (from Meta's page "Error codes"). */
export const failures: readonly (readonly [code: number, words: string])[] = [
  [131026, 'cannot be delivered to this person'],
  [131047, 'the window of 24 hours is closed'],
  [131049, 'the person gets too much marketing'],
  [131050, 'the person has opted out of marketing'],
  [131053, 'the file could not be processed'],
  [131042, 'the business has not paid'],
  [130472, 'the person is part of an experiment'],
];

export const failureWords = (code: number): string => failures.find(([one]) => one === code)?.[1] ?? 'failed';
