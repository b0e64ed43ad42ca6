import type { StoredPurpose } from './purposes.ts'

/** Where sealed values of one purpose are stored, as SQL. */
export interface SealedColumn {
  table: string
  /** The primary key with its types. Rows are read in its order. */
  key: Readonly<Record<string, 'bigint' | 'text'>>
  value: string
  /** The context that the value is sealed with. */
  context: string
  /** Rows that are read at once, where values are large. */
  batchSize?: number
  /** Sets the value to `v.sealed`. */
  set: string
  /** A hash of the same secret that is recomputed together with the value. It is also the context of the value. */
  hash?: { column: string; purpose: 'redemption-code' }
}

/** Every purpose in the database needs an entry, or a rotation would miss its values. */
export const SEALED_COLUMNS: Record<StoredPurpose, SealedColumn> = {
  'channel-key': {
    table: 'channel',
    key: { id: 'bigint' },
    value: 'sealed_key',
    context: `'channel:' || id`,
    set: 'sealed_key = v.sealed',
  },
  'token-key': {
    table: 'token',
    key: { id: 'bigint' },
    value: 'sealed_key',
    context: 'hash',
    set: 'sealed_key = v.sealed',
  },
  option: {
    table: 'option',
    key: { key: 'text' },
    value: 'case when t.sealed then t.value end',
    context: 'key',
    set: 'value = v.sealed',
  },
  'webhook-secret': {
    table: '"user"',
    key: { id: 'bigint' },
    value: `setting ->> 'webhook_secret'`,
    context: 'id::text',
    set: `setting = jsonb_set(setting, '{webhook_secret}', to_jsonb(v.sealed))`,
  },
  totp: {
    table: 'totp',
    key: { user_id: 'bigint' },
    value: 'sealed_secret',
    context: 'user_id::text',
    set: 'sealed_secret = v.sealed',
  },
  'auth-flow': {
    table: 'auth_flow',
    key: { ticket_hash: 'text' },
    value: `nullif(t.sealed, '')`,
    context: 'ticket_hash',
    set: 'sealed = v.sealed',
  },
  'idempotent-answer': {
    table: 'idempotency_key',
    key: { user_id: 'bigint', key: 'text' },
    value: 'sealed_answer',
    context: `user_id || ':' || key`,
    set: 'sealed_answer = v.sealed',
  },
  'redemption-code': {
    table: 'redemption',
    key: { id: 'bigint' },
    value: 'sealed_key',
    context: 'key_hash',
    set: 'sealed_key = v.sealed, key_hash = v.hash',
    hash: { column: 'key_hash', purpose: 'redemption-code' },
  },
  'push-key': {
    table: 'push_key',
    key: { id: 'bigint' },
    value: 'sealed_private_key',
    context: 'public_key',
    set: 'sealed_private_key = v.sealed',
  },
  'push-subscription': {
    table: 'push_subscription',
    key: { id: 'bigint' },
    value: 't.sealed',
    context: 'endpoint_hash',
    set: 'sealed = v.sealed',
  },
  'stored-response': {
    table: 'stored_response',
    key: { user_id: 'bigint', id: 'text' },
    value: 't.sealed',
    context: `user_id || ':' || id`,
    batchSize: 20,
    set: 'sealed = v.sealed',
  },
  'stored-response-event': {
    table: 'stored_response_event',
    key: { user_id: 'bigint', response_id: 'text', first_number: 'bigint' },
    value: 't.sealed',
    context: `user_id || ':' || response_id || ':' || first_number`,
    batchSize: 20,
    set: 'sealed = v.sealed',
  },
  conversation: {
    table: 'conversation',
    key: { user_id: 'bigint', id: 'text' },
    value: 't.sealed',
    context: `user_id || ':' || id`,
    set: 'sealed = v.sealed',
  },
  'conversation-item': {
    table: 'conversation_item',
    key: { position: 'bigint' },
    value: 't.sealed',
    context: `user_id || ':' || conversation_id || ':' || id`,
    batchSize: 20,
    set: 'sealed = v.sealed',
  },
  'file-part': {
    table: 'file_part',
    key: { file_id: 'text', number: 'bigint' },
    value: 't.sealed',
    context: `file_id || ':' || number`,
    batchSize: 10,
    set: 'sealed = v.sealed',
  },
  'batch-line': {
    table: 'batch_line',
    key: { batch_id: 'text', number: 'bigint' },
    value: 't.sealed',
    context: `batch_id || ':' || number`,
    batchSize: 20,
    set: 'sealed = v.sealed',
  },
  'export-secrets': {
    table: 'export_destination',
    key: { id: 'bigint' },
    value: `nullif(t.sealed, '')`,
    context: `'export:' || id`,
    set: 'sealed = v.sealed',
  },
}
