import {
  completionTokens,
  promptTokens,
  type Receipt,
  readSoldUnits,
  type SoldUnits,
  type Usage,
} from '@tidegate/pricing'

/** The log fields of a settled request except its price. */
export interface SettlementLog {
  type: number
  createdAt: Date
  username: string
  tokenName: string
  modelName: string
  channelId: number
  group: string
  isStream: boolean
  useTimeMs: number
  clientIp: string
  content: string
  other: Record<string, unknown>
  /** The task it submitted, which is then marked as paid. */
  taskId?: number
}

/** The result of a request. */
export interface SettledRequest {
  usage: Usage
  receipt: Receipt
  log: SettlementLog
}

/** Everything the ledger needs of one request, in a form that the journal can store. */
export interface SettlementRecord {
  requestId: string
  userId: number
  /** 0 if no token is used. */
  tokenId: number
  /** The token has its own account. */
  tokenLimited: boolean
  quota: number
  promptTokens: number
  completionTokens: number
  /** False if the operator disabled the request log; money and roll-ups are settled anyway. */
  keepLog: boolean
  log: Omit<SettlementLog, 'createdAt'> & { createdAt: number }
}

interface SettlementBase {
  requestId: string
  userId: number
  tokenId: number
  tokenUnlimited: boolean
  keepLog: boolean
}

/** `charged` is what the account pays; it is less than the receipt only if the account has no more. */
export function buildSettlement(
  base: SettlementBase,
  { usage, receipt, log }: SettledRequest,
  charged = receipt.quota,
): SettlementRecord {
  const uncovered = receipt.quota - charged
  const tokenLimited = base.tokenId !== 0 && !base.tokenUnlimited
  return {
    requestId: base.requestId,
    userId: base.userId,
    tokenId: base.tokenId,
    tokenLimited,
    quota: charged,
    promptTokens: promptTokens(usage),
    completionTokens: completionTokens(usage),
    keepLog: base.keepLog,
    log: {
      ...log,
      createdAt: log.createdAt.getTime(),
      other: {
        ...log.other,
        ...(tokenLimited && { token_limited: true }),
        ...(uncovered > 0 && { uncovered }),
      },
    },
  }
}

/** A request whose process crashed while streaming: billed for what was streamed. */
export function markInterrupted(settlement: SettlementRecord): SettlementRecord {
  return { ...settlement, log: { ...settlement.log, other: { ...settlement.log.other, interrupted: true } } }
}

/**
 * A settlement that is not in the database yet: its JSON text, which journal and log share, and the fields for sums.
 * The receipt is dropped, because thousands of pending receipts would burden the garbage collector.
 */
export interface PendingSettlement
  extends
    Pick<
      SettlementRecord,
      'requestId' | 'userId' | 'tokenId' | 'tokenLimited' | 'quota' | 'promptTokens' | 'completionTokens' | 'keepLog'
    >,
    Pick<SettlementRecord['log'], 'createdAt' | 'modelName' | 'tokenName' | 'group' | 'channelId' | 'taskId'> {
  /** The settlement as JSON. */
  readonly text: string
  readonly priceName: string
  readonly units: SoldUnits
}

export function toPendingSettlement(
  settlement: SettlementRecord,
  text = JSON.stringify(settlement),
): PendingSettlement {
  const { requestId, userId, tokenId, tokenLimited, quota, promptTokens, completionTokens, keepLog, log } = settlement
  const { createdAt, modelName, tokenName, group, channelId, taskId, other } = log
  const { price_name: priceName } = other
  return {
    requestId,
    userId,
    tokenId,
    tokenLimited,
    quota,
    promptTokens,
    completionTokens,
    keepLog,
    createdAt,
    modelName,
    tokenName,
    group,
    channelId,
    taskId,
    text,
    priceName: typeof priceName === 'string' ? priceName : modelName,
    units: readSoldUnits({ promptTokens, completionTokens, other }),
  }
}
