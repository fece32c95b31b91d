import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveWith } from './addresses.ts';

type Records = Record<string, { A?: string[]; AAAA?: string[] } | 'silence'>;

/** A name server on loopback. Names that it does not know do not exist. */
async function nameServer(records: Records) {
  const asked: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, type, question } = readQuestion(query);
    asked.push(`${type} ${name}`);
    const record = records[name];
    if (record !== 'silence') server.send(answer(query, question, record && (record[type] ?? [])), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const resolver = new Resolver({ timeout: 50, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return { asked, resolve: resolveWith(resolver) };
}

/** RFC 1035, section 4.1.2. */
function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type: 'A' | 'AAAA' = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A';
  return { name: labels.join('.'), type, question: query.subarray(12, at + 5) };
}

/** RFC 1035, section 4.1.3; without addresses the name does not exist. */
function answer(query: Buffer, question: Buffer, addresses: string[] | undefined): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(addresses ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  const type = question.subarray(-4);
  const resources = (addresses ?? []).map((address) => {
    const data = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
    return Buffer.concat([Buffer.from([0xc0, 12]), type, Buffer.from([0, 0, 0, 60, 0, data.length]), data]);
  });
  return Buffer.concat([header, question, ...resources]);
}

const ipv6Bytes = (address: string) =>
  Buffer.from(
    address.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  );

describe('resolveWith', () => {
  it('returns all addresses of a name, IPv4 first', async () => {
    const { resolve } = await nameServer({
      'receiver.example.com': { A: ['1.1.1.1', '1.0.0.1'], AAAA: ['2606:4700:4700:0:0:0:0:1111'] },
    });
    expect(await resolve('receiver.example.com')).toEqual(['1.1.1.1', '1.0.0.1', '2606:4700:4700::1111']);
  });

  it.each([
    ['IPv4', { A: ['1.1.1.1'] }, ['1.1.1.1']],
    ['IPv6', { AAAA: ['2606:4700:4700:0:0:0:0:1111'] }, ['2606:4700:4700::1111']],
  ])('succeeds if a name has only %s', async (_, records, addresses) => {
    const { resolve } = await nameServer({ 'receiver.example.com': records });
    expect(await resolve('receiver.example.com')).toEqual(addresses);
  });

  it('looks up the name exactly as given, without search domains', async () => {
    const { asked, resolve } = await nameServer({});
    await expect(resolve('receiver.example.com')).rejects.toThrow();
    expect(asked.toSorted()).toEqual(['A receiver.example.com', 'AAAA receiver.example.com']);
  });

  it.each<[string, Records]>([
    ['does not exist', {}],
    ['has no address', { 'receiver.example.com': {} }],
    ['is not answered for', { 'receiver.example.com': 'silence' }],
  ])('rejects a name that %s', async (_, records) => {
    const { resolve } = await nameServer(records);
    await expect(resolve('receiver.example.com')).rejects.toThrow('no address');
  });
});
