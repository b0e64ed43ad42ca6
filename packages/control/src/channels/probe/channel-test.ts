import { api, ApiError, type Settings, logEvent, type ProbeResult } from '@tidegate/contract'
import {
  completionTokens,
  computeReceipt,
  logFactors,
  priceOf,
  promptTokens,
  toReceiptData,
  type Usage,
} from '@tidegate/pricing'
import { channels, users, type NewLogRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { findChannel, type StoredChannel } from '../channel.ts'
import { splitNames } from '../check-fields.ts'
import { hideKeys, tryOpenKeys } from '../keys/stored-keys.ts'
import type { Probe, ProbeRequest } from '../../deps.ts'

export type TestDeps = Pick<Deps, 'db' | 'logs' | 'vault' | 'catalog' | 'log' | 'now' | 'probe'>

interface TestOptions {
  id: number
  model?: string
  stream?: boolean
  signal?: AbortSignal
}

/**
 * Sends a small request through a channel. Stores the duration and logs the usage for the super admin; an aborted test
 * leaves no trace.
 */
export async function testChannel(deps: TestDeps, options: TestOptions): Promise<TestResult> {
  const probe = requireProbe(deps)
  const channel = await findChannel(deps.db, options.id)
  if (api.UNTESTABLE_TYPES.has(channel.type)) throw new ApiError('channel_test_unsupported')
  const model = chooseTestModel(channel, options.model)
  const { signal = new AbortController().signal, stream = false } = options
  const keys = tryOpenKeys(deps.vault, channel) ?? []
  const result = await runProbe(deps, probe, { channelId: channel.id, model, stream, signal }, keys)
  if (signal.aborted) return { ...result, message: '', model }
  const message = hideKeys(result.message, keys).slice(0, MAX_MESSAGE_LENGTH)
  const response_time_ms = Math.min(Math.max(Math.round(result.milliseconds), 0), MAX_TIME_MS)
  await channels.update(deps.db, [channel.id], { response_time_ms, tested_at: deps.now() })
  if (result.ok) await logTest(deps, channel, { ...result, model, stream })
  return { ...result, message, model }
}

export type TestResult = ProbeResult & { readonly model: string }

export const MAX_MESSAGE_LENGTH = 1000
const MAX_TIME_MS = 2 ** 31 - 1
const FALLBACK_TEST_MODEL = 'gpt-4o-mini'

export function chooseTestModel(
  channel: Pick<StoredChannel, 'test_model' | 'models'>,
  requested: string | undefined,
): string {
  return requested?.trim() || channel.test_model.trim() || splitNames(channel.models)[0] || FALLBACK_TEST_MODEL
}

export function requireProbe({ probe }: Pick<Deps, 'probe'>): Probe {
  if (!probe) throw new ApiError('channel_test_off')
  return probe
}

/** A probe that throws is a failed test; the details go to the log only. */
export async function runProbe(
  { log }: Pick<Deps, 'log'>,
  probe: Probe,
  request: ProbeRequest,
  keys: readonly string[],
): Promise<ProbeResult> {
  const started = performance.now()
  try {
    return await probe(request)
  } catch (error) {
    const milliseconds = performance.now() - started
    const message = error instanceof ApiError ? error.message : ''
    if (!(error instanceof ApiError) && !request.signal.aborted) {
      const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
      logEvent(log, 'channel.probe_failed', { error: hideKeys(details, keys), channelId: request.channelId })
    }
    return { ok: false, message, milliseconds }
  }
}

const TEST_NAME = 'model test'

/**
 * Writes a consumption row for the super admin without a charge: it is in no balance or rollup. Sums skip rows with
 * `other.test`.
 */
async function logTest(
  { db, logs, catalog, now }: Pick<Deps, 'db' | 'logs' | 'catalog' | 'now'>,
  channel: { id: number },
  result: Pick<TestResult, 'model' | 'usage' | 'quota' | 'milliseconds'> & { stream: boolean },
): Promise<void> {
  const { settings } = catalog()
  const root = await users.findRoot(db)
  if (!root || !result.usage || !settings.LogConsumeEnabled) return
  const owner = await users.findById(db, root.id)
  const { quota, factors } = priceTest(settings, result.model, result.usage)
  const at = now()
  await logs.prepare({ from: at, days: 1 })
  const row: NewLogRow = {
    created_at: at,
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
      // Factors only explain the amount computed from them.
      ...(result.quota === undefined || result.quota === quota ? factors : {}),
      test: true,
      admin_info: { use_channel: [String(channel.id)] },
    }),
  }
  await logs.append([row])
}

/** Cost of the request in a group without a ratio. */
function priceTest(settings: Settings, model: string, usage: Usage) {
  try {
    const lookup = { modelName: model, upstreamName: model, group: '', acceptUnset: true }
    const receipt = computeReceipt({ ...priceOf(settings, lookup), groupRatio: 1 }, usage)
    return { quota: receipt.quota, factors: logFactors(toReceiptData(receipt), usage) }
  } catch {
    return { quota: 0, factors: {} } // usage that cannot be billed is still logged
  }
}
