import { describe, expect, it } from 'vitest';

/** Something that AWS requires of a request. The rows of a table of rules are its tests, so no rule can lack one. */
export interface StrictRule {
  /** What AWS accepts, as a sentence. */
  readonly rule: string;
  /** The page of AWS's documentation that says so. */
  readonly page: string;
  /** Sends what is just within the rule. */
  readonly accepted: () => Promise<unknown>;
  /** Sends what is just beyond it. */
  readonly rejected: () => Promise<unknown>;
  /** AWS's code for the error, which is the name of the SDK's exception. */
  readonly error: string;
  /** A part of the message, where the code says too little. */
  readonly message?: string;
}

export function testStrictRules(rules: readonly StrictRule[]): void {
  for (const { rule, page, accepted, rejected, error, message = '' } of rules) {
    describe(`${rule} (${page})`, () => {
      it('accepts what is within the rule', async () => {
        await accepted();
      });

      it(`rejects what is beyond it with ${error}`, async () => {
        await expect(rejected()).rejects.toMatchObject({
          name: error,
          message: expect.stringContaining(message),
        });
      });
    });
  }
}
