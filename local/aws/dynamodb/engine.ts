/** A DynamoDB engine on this machine. */
export interface Engine {
  /** `http://127.1.2.3:PORT` */
  readonly url: string;
  /**
   * Who the engine believes its caller is. DynamoDB Local takes letters and digits only, and keeps a database for each
   * id, so nobody who doesn't know it reaches the data.
   */
  readonly accessKeyId: string;
  close(): Promise<void>;
}

/** An engine that this machine has does not start. Only its message is printed. */
export class EngineError extends Error {}

/** What to do when an engine ends before it is ready. The command shows why. */
export function didNotStart(name: string, command: { program: string; arguments: readonly string[] }): EngineError {
  return new EngineError(
    `${name} does not start. To see why, run: ${[command.program, ...command.arguments].map(quoted).join(' ')}`,
  );
}

const quoted = (word: string) => (/^[\w./:=@\\-]+$/.test(word) ? word : `"${word}"`);
