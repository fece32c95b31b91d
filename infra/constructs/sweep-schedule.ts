import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunctionConstruct } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Runs the sweep each minute. A sweep that cannot start is not repeated, because the next one finds the same work. */
export class SweepSchedule extends Rule {
  constructor(scope: Construct, id: string, sweepDeliveries: LambdaFunctionConstruct) {
    super(scope, id, {
      description: 'Sweeps the deliveries each minute',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweepDeliveries, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    sweepDeliveries.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const reason = 'The next sweep, a minute later, does what this one left.';
    Validations.of(this).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    Validations.of(sweepDeliveries).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }
}
