/** A secret whose content is not what the service keeps there. The content is not quoted, because it is secret. */
export class MalformedSecret extends Error {
  override readonly name = 'MalformedSecret';

  constructor(secret: string, expected: string) {
    super(`The secret ${secret} is not ${expected}`);
  }
}
