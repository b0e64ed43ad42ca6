import type {
  AccessTokenTable,
  AuthFlowTable,
  IdentityTable,
  MailCodeTable,
  PasskeyTable,
  RecoveryCodeTable,
  SessionTable,
  SetupTable,
  TotpTable,
  UserTable,
} from './accounts.ts'
import type {
  AuditDigestTable,
  AuditEventTable,
  AuditForwardTable,
  AuditSealTable,
  AutomationTokenTable,
  CellTable,
  IdempotencyKeyTable,
  ImportedRowTable,
  JobLeaseTable,
  OutboxTable,
  SchemaCompatibilityTable,
  SecretKeyTable,
} from './operations.ts'
import type { BatchChargeTable, BatchLineTable, BatchTable, FilePartTable, FileTable } from './batches.ts'
import type {
  AbilityTable,
  CatalogVersionTable,
  ChannelKeyTable,
  ChannelMinuteTable,
  ChannelAlertTable,
  ChannelSweepTable,
  ChannelTable,
  OptionTable,
} from './catalog.ts'
import type { ExportDeliveryTable, ExportDestinationTable } from './exports.ts'
import type {
  DeliveryTable,
  MessageRecipientTable,
  MessageTable,
  PushKeyTable,
  PushSubscriptionTable,
} from './messages.ts'
import type {
  CounterOffsetTable,
  CreditLeaseTable,
  GatewayProcessTable,
  LedgerDigestTable,
  LedgerEntryTable,
  LedgerSealTable,
  LogMoveTable,
  LogOutboxTable,
  LogParcelTable,
  LogTargetTable,
  SettlementBatchTable,
  TokenTable,
  UsageLogTable,
} from './ledger.ts'
import type {
  ConversationItemTable,
  ConversationTable,
  StoredResponseEventTable,
  StoredResponseTable,
} from './responses.ts'
import type { ShadowCallTable, ShadowDroppedTable } from './shadow.ts'
import type { TaskTable } from './tasks.ts'
import type {
  ChannelDayTable,
  ChatContentTable,
  ModelHourTable,
  NodeMetricsTable,
  SiteDayTable,
  SiteHourTable,
  SoldDayTable,
  SpenderDayTable,
  UsageLogFloorTable,
  UsageRollupTable,
  UserDayTable,
} from './usage.ts'
import type {
  CheckInTable,
  PaymentEventTable,
  PaymentReversalTable,
  RedemptionTable,
  RedemptionUseTable,
  TopUpTable,
} from './wallet.ts'

export type * from './accounts.ts'
export type * from './batches.ts'
export type * from './catalog.ts'
export type * from './exports.ts'
export type * from './messages.ts'
export type * from './ledger.ts'
export type * from './operations.ts'
export type * from './responses.ts'
export type * from './shadow.ts'
export type * from './tasks.ts'
export type * from './usage.ts'
export type * from './wallet.ts'

/** The tables for Kysely. bigint is read as a safe integer, numeric as text. */
export interface Database {
  ability: AbilityTable
  access_token: AccessTokenTable
  audit_digest: AuditDigestTable
  audit_event: AuditEventTable
  audit_forward: AuditForwardTable
  audit_seal: AuditSealTable
  auth_flow: AuthFlowTable
  automation_token: AutomationTokenTable
  batch: BatchTable
  batch_charge: BatchChargeTable
  batch_line: BatchLineTable
  catalog_version: CatalogVersionTable
  cell: CellTable
  channel: ChannelTable
  channel_day: ChannelDayTable
  channel_key: ChannelKeyTable
  channel_minute: ChannelMinuteTable
  channel_notice: ChannelAlertTable
  channel_sweep: ChannelSweepTable
  chat_content: ChatContentTable
  check_in: CheckInTable
  conversation: ConversationTable
  conversation_item: ConversationItemTable
  counter_offset: CounterOffsetTable
  credit_lease: CreditLeaseTable
  delivery: DeliveryTable
  export_delivery: ExportDeliveryTable
  export_destination: ExportDestinationTable
  file: FileTable
  file_part: FilePartTable
  gateway_process: GatewayProcessTable
  idempotency_key: IdempotencyKeyTable
  identity: IdentityTable
  imported_row: ImportedRowTable
  job_lease: JobLeaseTable
  ledger_digest: LedgerDigestTable
  ledger_entry: LedgerEntryTable
  ledger_seal: LedgerSealTable
  log_move: LogMoveTable
  log_outbox: LogOutboxTable
  log_parcel: LogParcelTable
  log_target: LogTargetTable
  mail_code: MailCodeTable
  message: MessageTable
  message_recipient: MessageRecipientTable
  model_hour: ModelHourTable
  node_figures: NodeMetricsTable
  option: OptionTable
  outbox: OutboxTable
  passkey: PasskeyTable
  payment_event: PaymentEventTable
  payment_reversal: PaymentReversalTable
  push_key: PushKeyTable
  push_subscription: PushSubscriptionTable
  recovery_code: RecoveryCodeTable
  redemption: RedemptionTable
  redemption_use: RedemptionUseTable
  schema_compatibility: SchemaCompatibilityTable
  secret_key: SecretKeyTable
  session: SessionTable
  settlement_batch: SettlementBatchTable
  setup: SetupTable
  shadow_call: ShadowCallTable
  shadow_dropped: ShadowDroppedTable
  site_day: SiteDayTable
  site_hour: SiteHourTable
  sold_day: SoldDayTable
  spender_day: SpenderDayTable
  stored_response: StoredResponseTable
  stored_response_event: StoredResponseEventTable
  task: TaskTable
  token: TokenTable
  top_up: TopUpTable
  totp: TotpTable
  usage_log: UsageLogTable
  usage_log_floor: UsageLogFloorTable
  usage_rollup: UsageRollupTable
  user: UserTable
  user_day: UserDayTable
}

export const TABLE_NAMES = [
  'ability',
  'access_token',
  'audit_digest',
  'audit_event',
  'audit_forward',
  'audit_seal',
  'auth_flow',
  'automation_token',
  'batch',
  'batch_charge',
  'batch_line',
  'catalog_version',
  'cell',
  'channel',
  'channel_day',
  'channel_key',
  'channel_minute',
  'channel_notice',
  'channel_sweep',
  'chat_content',
  'check_in',
  'conversation',
  'conversation_item',
  'counter_offset',
  'credit_lease',
  'delivery',
  'export_delivery',
  'export_destination',
  'file',
  'file_part',
  'gateway_process',
  'idempotency_key',
  'identity',
  'imported_row',
  'job_lease',
  'ledger_digest',
  'ledger_entry',
  'ledger_seal',
  'log_move',
  'log_outbox',
  'log_parcel',
  'log_target',
  'mail_code',
  'message',
  'message_recipient',
  'model_hour',
  'node_figures',
  'option',
  'outbox',
  'passkey',
  'payment_event',
  'payment_reversal',
  'push_key',
  'push_subscription',
  'recovery_code',
  'redemption',
  'redemption_use',
  'schema_compatibility',
  'secret_key',
  'session',
  'settlement_batch',
  'setup',
  'shadow_call',
  'shadow_dropped',
  'site_day',
  'site_hour',
  'sold_day',
  'spender_day',
  'stored_response',
  'stored_response_event',
  'task',
  'token',
  'top_up',
  'totp',
  'usage_log',
  'usage_log_floor',
  'usage_rollup',
  'user',
  'user_day',
] as const satisfies readonly (keyof Database)[]
