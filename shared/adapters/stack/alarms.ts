import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';

/** The alarms of a stack. */
export interface StackAlarms {
  count: number;
  /** The names of those that are going off. */
  goingOff: string[];
}

/** Reads the alarms of a stack, with the region and the credentials that AWS's tools find. */
export async function alarmsOf(stack: string): Promise<StackAlarms> {
  const client = new CloudWatchClient();
  const alarms: MetricAlarm[] = [];
  let NextToken: string | undefined;
  try {
    do {
      // The stack's name alone would also find a stack whose name goes on with a hyphen, such as that of `prod-eu`.
      const page = await client.send(
        new DescribeAlarmsCommand({ AlarmNamePrefix: `${stack}-Alarms`, MaxRecords: 100, NextToken }),
      );
      alarms.push(...(page.MetricAlarms ?? []));
      NextToken = page.NextToken;
    } while (NextToken);
  } finally {
    client.destroy();
  }
  const goingOff = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  return { count: alarms.length, goingOff: goingOff.map(({ AlarmName = '' }) => AlarmName) };
}
