import { completionTokens, promptTokens, type Receipt, soldUnits, type SoldUnits, type Usage } from '@tidegate/pricing'

/** What the usage log tells of a settled call beside its price. */
export interface CallRecord {
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
  /** The task it ordered, which is then known to be paid. */
  taskId?: number
}

/** What a call came to. */
export interface Outcome {
  usage: Usage
  receipt: Receipt
  log: CallRecord
}

/** Everything the books need of one call, in a form that survives the journal. */
export interface Booking {
  requestId: string
  userId: number
  /** 0 when no token is involved. */
  tokenId: number
  /** The token has an account of its own. */
  tokenLimited: boolean
  quota: number
  promptTokens: number
  completionTokens: number
  /** False when the operator keeps no log of calls; money and roll-ups are booked all the same. */
  keepLog: boolean
  log: Omit<CallRecord, 'createdAt'> & { createdAt: number }
}

interface SettlementBase {
  requestId: string
  userId: number
  tokenId: number
  tokenUnlimited: boolean
  keepLog: boolean
}

/** `charged` is what the account really pays; it is less than the receipt only when nothing more could be had. */
export function buildSettlement(
  base: SettlementBase,
  { usage, receipt, log }: Outcome,
  charged = receipt.quota,
): Booking {
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

/** A call whose process died while it was streaming: billed for what is known to have been streamed. */
export function markInterrupted(booking: Booking): Booking {
  return { ...booking, log: { ...booking.log, other: { ...booking.log.other, interrupted: true } } }
}

/**
 * A booking while it waits for the database: its text, which is written once for journal and log, and what sums are made
 * of. The receipt itself is let go of: thousands that wait would be moved about by the garbage collector.
 */
export interface PendingSettlement
  extends
    Pick<
      Booking,
      'requestId' | 'userId' | 'tokenId' | 'tokenLimited' | 'quota' | 'promptTokens' | 'completionTokens' | 'keepLog'
    >,
    Pick<Booking['log'], 'createdAt' | 'modelName' | 'tokenName' | 'group' | 'channelId' | 'taskId'> {
  /** The booking as JSON. */
  readonly text: string
  readonly priceName: string
  readonly units: SoldUnits
}

export function toPendingSettlement(booking: Booking, text = JSON.stringify(booking)): PendingSettlement {
  const { requestId, userId, tokenId, tokenLimited, quota, promptTokens, completionTokens, keepLog, log } = booking
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
    units: soldUnits({ promptTokens, completionTokens, other }),
  }
}
