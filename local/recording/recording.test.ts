import { describe, expect, it } from 'vitest';
import { readRecording } from './recording.ts';

const head = '{"recording":1,"platform":"graph.facebook.com"}';
const request = { method: 'POST', path: '/v25.0/1/messages', body: { json: {} } };
const line = (changes: object, response: object = { status: 200 }) =>
  JSON.stringify({ at: 0, request: { ...request, ...changes }, response });
const read = (...lines: string[]) => readRecording([head, ...lines, ''].join('\n'));

describe('a recording', () => {
  it('may begin with a byte order mark', () => {
    expect(readRecording(`\uFEFF${head}\n${line({})}\n`).entries).toHaveLength(1);
  });

  it.each([
    ['a path that cannot be decoded', line({ path: '/v25.0/%E0%A4%A' }), 'request.path has to be a path of Graph'],
    ['a path of the simulator', line({ path: '/simulator/events' }), 'request.path has to be a path of Graph'],
    ['a path that leads elsewhere', line({ path: '/v25.0/../simulator/events' }), 'request.path has to be a path of'],
    ['a path that is encoded and leads elsewhere', line({ path: '/v25.0/%2e%2e/simulator/x' }), 'request.path has to'],
    ['a path with a query', line({ path: '/v25.0/1?a=1' }), 'request.path has to be a path of Graph'],
    ['no method', line({ method: 'GET E' }), 'request.method has to be GET, POST or DELETE'],
    ['a GET with a body', line({ method: 'GET' }), 'request.body cannot exist in a GET'],
    [
      'a huge file',
      line({ body: { bytes: { type: 'image/png', size: 99_999_999_999 } } }),
      'request.body.bytes.size has to be 0 to 104857600 bytes',
    ],
    [
      'a file of no size',
      line({ body: { form: [{ name: 'file', file: { type: 'a/b', size: -1 } }] } }),
      'request.body.form.0.file.size has to be 0 to',
    ],
    ['no status', line({}, { status: 7 }), 'response.status'],
    ['no response', JSON.stringify({ at: 0, request }), 'response is missing or of another type'],
    ['an event that is a text', '{"at":0,"event":"x"}', 'event has to be an object'],
    ['no JSON', '{"at":', 'it is not JSON'],
  ])('with %s is rejected by its line', (_, damaged, expected) => {
    const lines = () => read(line({}), damaged);
    expect(lines).toThrow('Line 3 is not what docs/recordings.md describes');
    expect(lines).toThrow(expected);
  });
});
