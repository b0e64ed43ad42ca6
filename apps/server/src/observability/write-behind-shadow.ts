import type { ShadowRow } from '@tidegate/gateway'
import { shadowCalls, writeBehind, type Db, type NewShadowCall } from '@tidegate/storage'
import type { ServerNode } from '../process/node.ts'

/** Longer than any valid path; the rest is not stored. */
const MAX_PATH_LENGTH = 300

/** Writes shadow rows behind, in batches, and counts dropped rows. */
export function writeBehindShadow({ storage, log }: Pick<ServerNode, 'storage' | 'log'>) {
  const { db } = storage.database
  let recordedDropped = 0
  const calls = writeBehind<NewShadowCall>({ name: 'shadow calls', log, write })
  const recordDropped = async (to: Db) => {
    const { dropped } = calls.metrics()
    if (dropped > recordedDropped) await shadowCalls.recordDropped(to, dropped - recordedDropped)
    return dropped
  }

  async function write(rows: readonly NewShadowCall[]): Promise<void> {
    recordedDropped = await db.transaction().execute(async (transaction) => {
      await shadowCalls.insert(transaction, rows)
      return recordDropped(transaction)
    })
  }

  return {
    record: (row: ShadowRow) => calls.add(toRow(row)),
    metrics: calls.metrics,
    stop: calls.stop,
  }
}

function toRow(row: ShadowRow): NewShadowCall {
  return {
    created_at: row.createdAt,
    request_id: row.requestId,
    user_id: row.userId,
    token_id: row.tokenId,
    model_name: row.model,
    path: row.path.slice(0, MAX_PATH_LENGTH),
    is_stream: row.isStream,
    group: row.group,
    channel_id: row.channelId,
    upstream_model: row.upstreamModel,
    prompt_tokens: row.promptTokens,
    reserve: row.reserve,
    refusal: row.refusal,
    pricing: row.pricing,
  }
}
