import { Stack, Validations } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

/** The topic for this account's alarms; it forwards them by mail. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, email: string) {
    super(scope, id, { enforceSSL: true });
    this.addSubscription(new EmailSubscription(email));
    // A topic with its own policy loses the default one, which lets the account's alarms publish. This statement
    // restores that.
    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    this.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    Validations.of(this).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'An alarm whose mail is lost still stands in CloudWatch.',
    });
  }
}
