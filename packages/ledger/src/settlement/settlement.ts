import {
  completionTokens,
  describePrice,
  describeRequest,
  promptTokens,
  type Receipt,
  type ReceiptData,
  type ServiceRecord,
  type Usage,
} from '@tidegate/pricing'

/** One attempt on a channel. */
interface AttemptRecord {
  readonly channel: number
  readonly dialect: string
  readonly milliseconds: number
  readonly status?: number
  readonly reason?: string
}

/** How the channel was chosen. */
interface RouteDecision {
  readonly candidates: number
  readonly kept?: number
  readonly passedOver: readonly { readonly channelId: number; readonly reason: string }[]
  readonly passedOverCount: number
}

/** A request of a batch of requests. It may run twice, and is charged once. */
export interface BatchLine {
  readonly batchId: string
  readonly number: number
}

/** What the log row of a settled request is made from, except its price. */
export interface SettlementLog extends ServiceRecord {
  readonly type: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly username: string
  readonly tokenName: string
  readonly modelName: string
  readonly channelId: number
  readonly group: string
  readonly isStream: boolean
  readonly useTimeMs: number
  readonly clientIp: string
  /** Instead of the description of the price. */
  readonly content?: string
  readonly attempts: readonly AttemptRecord[]
  readonly decision: RouteDecision
  /** The task it submitted, which is then marked as paid. */
  readonly taskId?: number
  readonly batchLine?: BatchLine
}

/** The result of a request. */
export interface SettledRequest<R = Receipt> {
  readonly usage: Usage
  readonly receipt: R
  readonly log: SettlementLog
}

/** Who pays for a request. */
export interface SettlementBase {
  readonly requestId: string
  readonly userId: number
  /** 0 if no token is used. */
  readonly tokenId: number
  readonly tokenUnlimited: boolean
}

/** A request as it is written to the journal. Everything else is computed when its batch is applied. */
export interface Charge<R = Receipt> {
  readonly base: SettlementBase
  readonly outcome: SettledRequest<R>
  /** What the account pays; it is less than the receipt only if the account has no more. */
  readonly charged: number
  /** The part of it that no lease covered while the database was away. The account may not have it. */
  readonly overdrawn?: number
  /** The process ended before the request did. */
  readonly interrupted?: boolean
  /** False if the operator disabled the request log; money and roll-ups are settled anyway. */
  readonly keepLog: boolean
}

/** A charge with its log row: what the database receives. Journals of earlier releases contain it as JSON. */
export interface SettlementRecord {
  requestId: string
  userId: number
  /** 0 if no token is used. */
  tokenId: number
  /** The token has its own account. */
  tokenLimited: boolean
  quota: number
  /** The part of the quota that is not charged if the account does not have it. */
  overdrawn?: number
  promptTokens: number
  completionTokens: number
  keepLog: boolean
  log: Pick<
    SettlementLog,
    | 'type'
    | 'createdAt'
    | 'username'
    | 'tokenName'
    | 'modelName'
    | 'channelId'
    | 'group'
    | 'isStream'
    | 'useTimeMs'
    | 'clientIp'
    | 'taskId'
    | 'batchLine'
  > & { content: string; other: Record<string, unknown> }
}

export function buildSettlement(charge: Charge<ReceiptData>): SettlementRecord {
  const { base, outcome, charged, overdrawn, interrupted, keepLog } = charge
  const { usage, receipt, log } = outcome
  const { type, createdAt, username, tokenName, modelName, channelId, group, isStream, useTimeMs, clientIp } = log
  const uncovered = receipt.quota - charged
  const tokenLimited = hasOwnAccount(base)
  const other = describeRequest(receipt, usage, log)
  if (tokenLimited) other.token_limited = true
  if (uncovered > 0) other.uncovered = uncovered
  if (interrupted) other.interrupted = true
  return {
    requestId: base.requestId,
    userId: base.userId,
    tokenId: base.tokenId,
    tokenLimited,
    quota: charged,
    ...(overdrawn !== undefined && { overdrawn }),
    promptTokens: promptTokens(usage),
    completionTokens: completionTokens(usage),
    keepLog,
    log: {
      type,
      createdAt,
      username,
      tokenName,
      modelName,
      channelId,
      group,
      isStream,
      useTimeMs,
      clientIp,
      content: log.content ?? describePrice(receipt, usage),
      other,
      ...(log.taskId !== undefined && { taskId: log.taskId }),
      ...(log.batchLine && { batchLine: log.batchLine }),
    },
  }
}

export function hasOwnAccount({
  tokenId,
  tokenUnlimited,
}: Pick<SettlementBase, 'tokenId' | 'tokenUnlimited'>): boolean {
  return tokenId !== 0 && !tokenUnlimited
}

/** A request whose process crashed while streaming: billed for what was streamed. */
export function markInterrupted(settlement: SettlementRecord): SettlementRecord {
  return { ...settlement, log: { ...settlement.log, other: { ...settlement.log.other, interrupted: true } } }
}
