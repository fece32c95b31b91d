import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

/** Lists the names of a stack's alarms that are going off, with the region and the credentials that AWS's tools find. */
export async function alarmsOf(stack: string): Promise<{ count: number; goingOff: string[] }> {
  const client = new CloudWatchClient();
  try {
    const { MetricAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({ AlarmNamePrefix: `${stack}-`, MaxRecords: 100 }),
    );
    const goingOff = MetricAlarms.filter(({ StateValue }) => StateValue === 'ALARM');
    return { count: MetricAlarms.length, goingOff: goingOff.map(({ AlarmName = '' }) => AlarmName) };
  } finally {
    client.destroy();
  }
}
