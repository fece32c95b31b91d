/** A Flow JSON with one screen whose data comes from an endpoint. */
export const dynamicFlowJson = {
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { DATE: [] },
  screens: [
    {
      id: 'DATE',
      title: 'Date',
      terminal: true,
      data: { slots: { type: 'string', __example__: 'nine' } },
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'TextBody', text: 'Choose a date.' },
          { type: 'Footer', label: 'Done', 'on-click-action': { name: 'data_exchange', payload: {} } },
        ],
      },
    },
  ],
};
