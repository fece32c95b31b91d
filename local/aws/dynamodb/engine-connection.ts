import { connect, type Socket } from 'node:net';
import { MessageSplitter, type RawMessage } from '../base/http/message-splitter.ts';

const bufferBytes = 16 * 1024;

interface Exchange {
  responses: MessageSplitter;
  resolve: (response: RawMessage) => void;
  reject: (error: Error) => void;
}

/** A connection to the engine that carries one request at a time. It opens with a request whenever it is closed. */
export class EngineConnection {
  readonly #url: string;
  readonly #onEnd: () => void;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;

  /** `onEnd` is called when the engine closes the connection while no request waits for its response. */
  constructor(url: string, onEnd: () => void) {
    this.#url = url;
    this.#onEnd = onEnd;
  }

  /** Sends a request and resolves with the whole response. Rejects if the connection ends before. */
  send(request: Buffer | string): Promise<RawMessage> {
    this.#socket ??= this.#connect();
    this.#socket.write(request);
    return new Promise((resolve, reject) => {
      this.#exchange = { responses: new MessageSplitter(), resolve, reject };
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Socket {
    const { hostname, port } = new URL(this.#url);
    const socket = connect({
      // An IPv6 address has brackets in a URL only.
      host: hostname.replace(/[[\]]/g, ''),
      port: Number(port || 80),
      noDelay: true,
      // Reads past Node's streams, which take longer than all the rest.
      onread: {
        buffer: Buffer.allocUnsafe(bufferBytes),
        callback: (bytes, buffer) => {
          this.#receive(Buffer.from(buffer.subarray(0, bytes)));
          return true;
        },
      },
    });
    const end = (error: Error) => {
      // An error is followed by `close`, when another connection may be in use.
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      const exchange = this.#endExchange();
      if (exchange) exchange.reject(error);
      else this.#onEnd();
    };
    socket.once('error', end);
    socket.once('close', () => end(new Error('The DynamoDB engine closed the connection')));
    return socket;
  }

  #receive(bytes: Buffer): void {
    try {
      const [response] = this.#exchange?.responses.push(bytes) ?? [];
      if (response) this.#endExchange()?.resolve(response);
    } catch (error) {
      this.#socket?.destroy(error as Error);
    }
  }

  #endExchange(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    return exchange;
  }
}
