import type {
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { Command } from '#shared/adapters/dynamodb/commands.ts';

/** Commands that the product never sends. */

export class BatchWriteCommand extends Command<BatchWriteCommandInput, BatchWriteCommandOutput> {
  readonly operation = 'BatchWriteItem';
}

export class ScanCommand extends Command<ScanCommandInput, ScanCommandOutput> {
  readonly operation = 'Scan';
}
