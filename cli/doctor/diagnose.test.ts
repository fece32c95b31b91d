import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '#support/command-line.ts';
import { type DoctorWorld, startDoctorWorld } from '#support/worlds/doctor-world.ts';
import type { Finding } from './finding.ts';

let world: DoctorWorld;
beforeAll(async () => {
  world = await startDoctorWorld();
});
afterAll(() => world.close());

describe('a healthy deployment', () => {
  it('is well, and everything is checked', async () => {
    const { value, text, hasFindings } = await runCommand(world.open(), 'doctor');
    console.log(text);
    const findings = Reflect.get(value, 'findings') as Finding[];
    expect(findings.filter(({ status }) => status === 'wrong' || status === 'unknown')).toEqual([]);
    expect(hasFindings).toBe(false);
  });
});
