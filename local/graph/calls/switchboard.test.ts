import { expect, it } from 'vitest';
import { phoneNumberId, wabaId } from '#support/worlds/simulated-graph.ts';
import { Population } from '../core/population.ts';
import type { Change } from '../events/events.ts';
import { sdpOffer } from '../events/samples.ts';
import { MediaStore } from '../media/store.ts';
import { CallingSettings } from '../settings/calling-settings.ts';
import { SetupFaults } from '../setup/faults.ts';
import { type Call, ringing } from './calls.ts';
import { CallPermissionStore } from './permission-store.ts';
import { Recordings } from './recordings.ts';
import { defaultCallSettings } from './settings.ts';
import { Switchboard } from './switchboard.ts';

const number = { id: phoneNumberId, display_phone_number: '15550783881', calling_enabled: true };

function makeSwitchboard(records = new Map<string, Call>()) {
  const told: Change[] = [];
  const accounts = [{ waba_id: wabaId, phone_numbers: [number] }];
  const common = {
    accounts,
    callingSettings: new CallingSettings(accounts, new Map(), new SetupFaults()),
    population: new Population(new Map(), 'phone_numbers'),
    announce: (change: Change) => void told.push(change),
    note: () => undefined,
    now: Date.now,
  };
  const media = new MediaStore(new Map(), Date.now);
  const recordings = new Recordings({ media, urlOf: () => '', now: Date.now });
  const permissions = new CallPermissionStore({ ...common, records: new Map() });
  return {
    told,
    switchboard: new Switchboard({ ...common, records, permissions, recordings, settings: defaultCallSettings }),
  };
}

it('the switchboard keeps the latest thousand calls, and all live ones', () => {
  const { switchboard } = makeSwitchboard();
  const live = switchboard.callBusiness(phoneNumberId, '5511911112222', sdpOffer);
  for (let i = 0; i < 1005; i += 1)
    switchboard.hangUp(switchboard.callBusiness(phoneNumberId, '5511988887777', sdpOffer));
  const calls = switchboard.all();
  expect(calls.length).toBe(1000);
  expect(calls.at(-1)).toEqual(live);
  switchboard.close();
});

it('a call of a deleted number ends without an event', () => {
  const gone = { phone_number_id: '1', contact: '5511988887777', direction: 'USER_INITIATED' } as const;
  const call = ringing({ ...gone, offer: sdpOffer, biz_opaque_callback_data: null }, Date.now());
  const { switchboard, told } = makeSwitchboard(new Map([[call.id, call]]));
  expect(switchboard.miss(call).state).toBe('ENDED');
  expect(told).toEqual([]);
  switchboard.close();
});
