/** The name of a secret beside that of the platform: with `messaging/prod/upstream`, `messaging/prod/<name>`. */
export const secretBeside = (upstreamSecretId: string, name: string): string =>
  upstreamSecretId.replace(/[^/]*$/, name);
