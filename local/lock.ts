import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another world runs on the same data. */
export class LockedError extends Error {}

/**
 * Takes a folder for this process, so that two worlds never write to the same files. A socket that listens is the lock:
 * the kernel closes it with the process, however that ends, so there is nothing left to judge by a process id that may be
 * a zombie's by now, or another program's. The file `lock` in the folder only says whose lock it is.
 *
 * @returns what gives the folder back
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

/** One name for the folder by whatever path it is reached. */
function socketOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `messaging-service-${dev}-${ino}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  // Linux has names for sockets that are no files, so nothing remains of one.
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name);
}

/** A killed process may need a moment until all its threads are gone, and its sockets with them. */
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

/** Listens; `undefined` when another process does. */
async function listenAlone(path: string): Promise<Server | undefined> {
  try {
    return await listen(path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'EADDRINUSE') throw error;
    if (path.startsWith('\0') || (await answers(path))) return undefined;
    // A file that a killed process has left.
    rmSync(path, { force: true });
    return listen(path);
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  return server;
}

async function answers(path: string): Promise<boolean> {
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
