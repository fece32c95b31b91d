"""Prints, as JSON, what a stack has made in moto, or ("types") which types moto's CloudFormation knows."""

import ast
import json
import sys

import boto3

boto3.setup_default_session(region_name="us-east-1")


def all_of(service, operation, member):
    pages = boto3.client(service).get_paginator(operation).paginate()
    return [item for page in pages for item in page.get(member, [])]


def bucket(name):
    encryption = boto3.client("s3").get_bucket_encryption(Bucket=name)
    return {"Name": name, "Rules": encryption["ServerSideEncryptionConfiguration"]["Rules"]}


def role(name):
    iam = boto3.client("iam")
    names = iam.list_role_policies(RoleName=name)["PolicyNames"]
    documents = [iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"] for policy in names]
    # moto keeps documents of templates as Python prints them.
    return {"Name": name, "Documents": [ast.literal_eval(text) for text in documents]}


def state():
    dynamodb, sqs = boto3.client("dynamodb"), boto3.client("sqs")
    buckets = [each["Name"] for each in boto3.client("s3").list_buckets()["Buckets"]]
    roles = [each["RoleName"] for each in all_of("iam", "list_roles", "Roles")]
    return {
        "tables": [dynamodb.describe_table(TableName=name)["Table"] for name in all_of("dynamodb", "list_tables", "TableNames")],
        "queues": [sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"] for url in all_of("sqs", "list_queues", "QueueUrls")],
        "buckets": [bucket(name) for name in buckets if not name.startswith("cdk-")],
        "functions": all_of("lambda", "list_functions", "Functions"),
        "mappings": all_of("lambda", "list_event_source_mappings", "EventSourceMappings"),
        "roles": [role(name) for name in roles if not name.startswith("cdk-")],
        "groups": all_of("logs", "describe_log_groups", "logGroups"),
        "rules": boto3.client("events").list_rules()["Rules"],
    }


def types():
    from moto.cloudformation.parsing import get_model_map

    return sorted(get_model_map())


print(json.dumps(types() if sys.argv[1:] == ["types"] else state(), default=str))
