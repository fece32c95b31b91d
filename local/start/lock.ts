import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another world is running on the same data. */
export class LockedError extends Error {}

/**
 * Locks a folder for this process, so that two worlds never write to the same files. The lock is a listening socket,
 * which the kernel closes with the process, however that ends. A file with a process id could be stale: the id may
 * belong to a zombie or to another program by then. The file `lock` in the folder only says who holds the lock.
 *
 * @returns a function that releases the folder
 * @throws LockedError
 */
export async function lock(folder: string): Promise<() => void> {
  const note = join(folder, 'lock');
  const server = await listenSoon(socketOf(folder));
  if (!server) {
    throw new LockedError(
      `Another local world${holderIn(note)} uses the data in ${folder}. Stop it, or set LOCAL_DATA_DIR to another folder.`,
    );
  }
  server.unref();
  writeFileSync(note, String(process.pid));
  return () => {
    rmSync(note, { force: true });
    server.close();
  };
}

/** The same name for the folder, whatever path leads to it. */
function socketOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `messaging-service-${dev}-${ino}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  // On Linux, abstract socket names are not files, so nothing is left behind.
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name);
}

/** After a kill it may take a moment until all threads of the process, and with them its sockets, are gone. */
async function listenSoon(path: string): Promise<Server | undefined> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    const server = await listenAlone(path);
    if (server) return server;
    await delay(betweenAttemptsMs);
  }
  return listenAlone(path);
}

const attempts = 10;
const betweenAttemptsMs = 100;

/** Listens on the socket. Returns `undefined` if another process does. */
async function listenAlone(path: string): Promise<Server | undefined> {
  try {
    return await listen(path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'EADDRINUSE') throw error;
    if (path.startsWith('\0') || (await isListenedOn(path))) return undefined;
    // A killed process left the file behind.
    rmSync(path, { force: true });
    return listen(path);
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  return server;
}

async function isListenedOn(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function holderIn(note: string): string {
  try {
    return ` (process ${Number(readFileSync(note, 'utf8'))})`;
  } catch {
    return '';
  }
}
