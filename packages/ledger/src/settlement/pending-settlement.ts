import { soldUnits, type SoldUnits } from '@tidegate/pricing'
import type { Booking } from './settlement.ts'

/**
 * A booking while it waits for the database: its text, which is written once for journal and log, and what sums are made
 * of. The receipt itself is let go of: thousands that wait would be moved about by the garbage collector.
 */
export interface WaitingBooking
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

export function waitingBooking(booking: Booking, text = JSON.stringify(booking)): WaitingBooking {
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
