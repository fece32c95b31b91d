import { dynamic } from './dynamic.ts';

/** A Flow whose days and slots its endpoint knows. */
export const slotsFlow = {
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { DAY: ['SLOT'], SLOT: [] },
  screens: [
    {
      id: 'DAY',
      title: 'Choose a day',
      data: { days: { type: 'array', items: { type: 'object', properties: {} }, __example__: [] } },
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'Dropdown', name: 'day', label: 'Day', 'data-source': dynamic('data.days'), required: true },
          {
            type: 'Footer',
            label: 'Find slots',
            'on-click-action': { name: 'data_exchange', payload: { day: dynamic('form.day') } },
          },
        ],
      },
    },
    {
      id: 'SLOT',
      title: 'Choose a slot',
      terminal: true,
      refresh_on_back: true,
      data: { slots: { type: 'array', items: { type: 'object', properties: {} }, __example__: [] } },
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'RadioButtonsGroup', name: 'slot', label: 'Slot', 'data-source': dynamic('data.slots') },
          {
            type: 'Footer',
            label: 'Book',
            'on-click-action': { name: 'data_exchange', payload: { slot: dynamic('form.slot') } },
          },
        ],
      },
    },
  ],
};

const days = [
  { id: 'mon', title: 'Monday' },
  { id: 'tue', title: 'Tuesday' },
];

interface PhoneRequest {
  action: string;
  screen?: string;
  data?: { day?: string; slot?: string };
}

/** The endpoint's responses: Mondays are full, and `weather` is not declared. */
export function slotsAnswer({ action, screen, data = {} }: PhoneRequest): object {
  if (action !== 'data_exchange') return { screen: 'DAY', data: { days } };
  if (data.slot) {
    const params = { flow_token: 'token', slot: data.slot };
    return { screen: 'SUCCESS', data: { extension_message_response: { params } } };
  }
  if (data.day === 'mon') return { screen, data: { error_message: 'Mondays are full.' } };
  const slots = [
    { id: 'early', title: '9:00' },
    { id: 'late', title: '21:00' },
  ];
  return { screen: 'SLOT', data: { slots, weather: 'fine' } };
}
