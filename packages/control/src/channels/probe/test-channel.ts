import { api, ApiError } from '@tidegate/contract'
import { channels } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { findChannel, type StoredChannel } from '../channel.ts'
import { logTest } from './log-test.ts'
import { hideKeys } from '../keys/mask-key.ts'
import type { Probe, ProbeOrder, ProbeResult } from '../probe.ts'
import { tryOpenKeys } from '../keys/sealed-keys.ts'
import { splitNames } from '../split-names.ts'

export type TestDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'probe'>

export interface TestOrder {
  id: number
  model?: string
  stream?: boolean
  signal?: AbortSignal
}

/**
 * Sends a small call through a channel. How long it took is stored, whether it passed or not, and what it used is
 * written to the log of the super admin; a test that was given up leaves no trace.
 */
export async function testChannel(deps: TestDeps, order: TestOrder): Promise<TestResult> {
  const probe = requireProbe(deps)
  const channel = await findChannel(deps.db, order.id)
  if (api.UNTESTABLE_TYPES.has(channel.type)) throw new ApiError('channel_test_unsupported')
  const model = chooseTestModel(channel, order.model)
  const { signal = new AbortController().signal, stream = false } = order
  const keys = tryOpenKeys(deps.vault, channel) ?? []
  const result = await runProbe(deps, probe, { channelId: channel.id, model, stream, signal }, keys)
  if (signal.aborted) return { ...result, message: '', model }
  const message = hideKeys(result.message, keys).slice(0, LONGEST_MESSAGE)
  const response_time_ms = Math.min(Math.max(Math.round(result.milliseconds), 0), LONGEST_TIME_MS)
  await channels.update(deps.db, [channel.id], { response_time_ms, tested_at: deps.now() })
  if (result.ok) await logTest(deps, channel, { ...result, model, stream })
  return { ...result, message, model }
}

export type TestResult = ProbeResult & { readonly model: string }

const LONGEST_MESSAGE = 1000
const LONGEST_TIME_MS = 2 ** 31 - 1
const LAST_RESORT = 'gpt-4o-mini'

export function chooseTestModel(
  channel: Pick<StoredChannel, 'test_model' | 'models'>,
  wanted: string | undefined,
): string {
  return wanted?.trim() || channel.test_model.trim() || splitNames(channel.models)[0] || LAST_RESORT
}

export function requireProbe({ probe }: Pick<Deps, 'probe'>): Probe {
  if (!probe) throw new ApiError('channel_test_off')
  return probe
}

/** A probe that breaks is a test that failed; the reason it broke for is ours to read, not the administrator's. */
async function runProbe(
  { log }: Pick<Deps, 'log'>,
  probe: Probe,
  order: ProbeOrder,
  keys: readonly string[],
): Promise<ProbeResult> {
  const started = performance.now()
  try {
    return await probe(order)
  } catch (error) {
    const milliseconds = performance.now() - started
    const message = error instanceof ApiError ? error.message : ''
    if (!(error instanceof ApiError) && !order.signal.aborted) {
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
      log.error({ error: hideKeys(told, keys), channelId: order.channelId }, 'a channel test broke')
    }
    return { ok: false, message, milliseconds }
  }
}
