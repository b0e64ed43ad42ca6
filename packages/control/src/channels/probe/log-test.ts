import { api, type Settings } from '@tidegate/contract'
import { completionTokens, computeReceipt, logFactors, priceOf, promptTokens, type Usage } from '@tidegate/pricing'
import { usageLogs, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { TestResult } from './test-channel.ts'

const TEST_NAME = 'model test'

/**
 * A row of consumption for the super admin that nobody pays for: neither balances nor roll-ups know of it, so the books
 * agree without it. `other.test` lets sums leave it out.
 */
export async function logTest(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  channel: { id: number },
  result: Pick<TestResult, 'model' | 'usage' | 'quota' | 'milliseconds'> & { stream: boolean },
): Promise<void> {
  const { settings } = catalog()
  const root = await users.findRoot(db)
  if (!root || !result.usage || !settings.LogConsumeEnabled) return
  const owner = await users.findById(db, root.id)
  const { quota, factors } = priceTest(settings, result.model, result.usage)
  await usageLogs.insert(db, {
    created_at: now(),
    type: api.LOG_TYPE.consumption,
    user_id: root.id,
    username: owner?.username ?? '',
    token_name: TEST_NAME,
    content: TEST_NAME,
    model_name: result.model,
    quota: result.quota ?? quota,
    prompt_tokens: promptTokens(result.usage),
    completion_tokens: completionTokens(result.usage),
    use_time_ms: Math.round(result.milliseconds),
    is_stream: result.stream,
    channel_id: channel.id,
    group: owner?.group ?? '',
    other: JSON.stringify({
      // Factors explain the amount that was computed from them, and no other.
      ...(result.quota === undefined || result.quota === quota ? factors : {}),
      test: true,
      admin_info: { use_channel: [String(channel.id)] },
    }),
  })
}

/** What the call would cost in a group without a ratio. */
function priceTest(settings: Settings, model: string, usage: Usage) {
  try {
    const question = { modelName: model, upstreamName: model, group: '', acceptUnset: true }
    const receipt = computeReceipt({ ...priceOf(settings, question), groupRatio: 1 }, usage)
    return { quota: receipt.quota, factors: logFactors(receipt, usage) }
  } catch {
    return { quota: 0, factors: {} } // counts that cannot be billed are still worth a row
  }
}
