import { isObject, parseJson } from '#shared/base/json.ts';
import { visibleLine } from '#shared/base/text.ts';
import { textOfTime } from '../console/line.ts';

/**
 * A line of a function's log for people: the time, what happened, and its details. Reading requests that succeed are
 * left out, as the console makes many of them. What is not a record of the service stays as it is.
 */
export function readableLine(functionName: string, line: string): string | undefined {
  const { timestamp, level, message } = Object(parseJson(line));
  if (typeof timestamp !== 'string' || !isObject(message)) return visibleLine(`${functionName} ${line}`);
  const { event, request, operation, status, duration_ms, ...details } = message;
  const time = textOfTime(timestamp);
  if (event === 'request' && level === 'INFO') {
    const isGood = Number(status) < 400;
    if (isGood && /^(get|list)-/.test(String(operation))) return;
    const outcome = `${status} ${duration_ms} ms${isGood ? '' : `  request=${request}`}`;
    return visibleLine(`${time}  ${String(operation).padEnd(24)}  ${outcome}`);
  }
  const shown = { operation, status, ...details, ...(level !== 'INFO' && { request }) };
  const words = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${text(value)}`],
  );
  const what = String(event ?? functionName).padEnd(24);
  return visibleLine([time, what, ...(level === 'INFO' ? [] : [level]), words.join(' ')].join('  ')).trimEnd();
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
