import { describe, expect, it } from 'vitest';

/** A requirement of AWS on requests. A table of rules generates the tests, so every rule has one. */
export interface StrictRule {
  /** What AWS accepts, in one sentence. */
  readonly rule: string;
  /** The page of AWS's documentation that says so. */
  readonly page: string;
  /** Sends a request that just satisfies the rule. */
  readonly accepted: () => Promise<unknown>;
  /** Sends a request that just violates the rule. */
  readonly rejected: () => Promise<unknown>;
  /** AWS's code for the error, which is the name of the SDK's exception. */
  readonly error: string;
  /** A part of the message, where the code says too little. */
  readonly message?: string;
}

export function testStrictRules(rules: readonly StrictRule[]): void {
  for (const { rule, page, accepted, rejected, error, message = '' } of rules) {
    describe(`${rule} (${page})`, () => {
      it('accepts a request that satisfies the rule', async () => {
        await accepted();
      });

      it(`rejects a request that violates the rule with ${error}`, async () => {
        await expect(rejected()).rejects.toMatchObject({
          name: error,
          message: expect.stringContaining(message),
        });
      });
    });
  }
}
