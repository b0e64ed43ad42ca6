import type { FieldDescriptions } from './describe-fields.ts'
import { ACCOUNT_FIELDS } from './field-descriptions/account.ts'
import { BILLING_FIELDS } from './field-descriptions/billing.ts'
import { CHANNEL_FIELDS } from './field-descriptions/channels.ts'
import { EXPORT_FIELDS } from './field-descriptions/exports.ts'
import { LOG_FIELDS } from './field-descriptions/logs.ts'
import { MESSAGE_FIELDS } from './field-descriptions/messages.ts'
import { MODEL_FIELDS } from './field-descriptions/models.ts'
import { SETTING_FIELDS } from './field-descriptions/settings.ts'
import { TASK_FIELDS } from './field-descriptions/tasks.ts'

/** Fields with the same meaning in every place. */
const COMMON_FIELDS: FieldDescriptions = {
  '*': {
    'Idempotency-Key': 'Within a day, repeats with this key and body return the first response',
    'If-Match': '`ETag` of the version you read; rejected with `edit_conflict` if it changed',
    allow_ips: 'Allowed IP addresses or ranges, one per line; blank allows all',
    channel_id: 'Channel ID',
    channel_name: 'Channel name; blank if the channel was deleted',
    client_ip: 'IP address of the client',
    created_time: 'Creation time, Unix seconds',
    display_name: 'Display name',
    end_timestamp: 'End of the time range, Unix seconds, inclusive',
    is_stream: 'Whether the response is streamed',
    items: 'Rows of this page',
    last_four: 'Last four characters of the token',
    last_used_at: 'Last use, ISO 8601 in UTC; null if never used',
    p: 'Page number; the default is the first page',
    page: 'Page number; the first page is 1',
    page_size: 'Rows per page',
    request_id: 'Request ID',
    start_timestamp: 'Start of the time range, Unix seconds, inclusive',
    status_only: 'Change only `status` and ignore the other fields',
    token_name: 'Name of the API token',
    total: 'Number of rows on all pages',
    turnstile: 'Turnstile token; required while `turnstile_check` of the status is on',
    upstream_model: 'Model name at the provider',
    user_agent: 'User agent of the browser',
    user_id: 'User ID',
    username: 'Username',
  },
  'AccessTokenFacts, Delivery, Message, OwnSession, Passkey, PushDevice': {
    created_at: 'Creation time, ISO 8601 in UTC',
  },
  'AuditEvent, OptionChange, OrderDetail, ShadowCall, TopUpOrder, UsageLog': {
    created_at: 'Creation time, Unix seconds',
  },
}

/** English descriptions of all fields and parameters. `scripts/docs/field-descriptions.zh.json` has the same keys. */
export const FIELD_DESCRIPTIONS: FieldDescriptions = {
  ...COMMON_FIELDS,
  ...ACCOUNT_FIELDS,
  ...BILLING_FIELDS,
  ...CHANNEL_FIELDS,
  ...EXPORT_FIELDS,
  ...LOG_FIELDS,
  ...MESSAGE_FIELDS,
  ...MODEL_FIELDS,
  ...SETTING_FIELDS,
  ...TASK_FIELDS,
}
