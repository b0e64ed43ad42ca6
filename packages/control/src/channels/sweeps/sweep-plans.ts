import { api, type Settings, type ProbeResult } from '@tidegate/contract'
import { channels, type ChannelState, channelSweeps } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { inSiteLanguage, notifyRoot } from '../../messaging/outbox/enqueue.ts'
import { hasBalance, refreshBalance } from '../probe/refresh-balance.ts'
import { testChannel, type TestDeps, type TestResult } from '../probe/channel-test.ts'
import { disableChannel, enableChannel } from '../status.ts'
import { runSweep, type SweepItem, type SweepKind, type SweepPlan } from './sweep.ts'

type SweepDeps = TestDeps & Pick<Deps, 'catchUp'>

const { enabled, autoDisabled } = api.CHANNEL_STATUS

/**
 * Tests all channels that are not manually disabled. Failing ones may be disabled; automatically disabled ones may be
 * enabled again.
 */
export function planTests(deps: SweepDeps): SweepPlan<ChannelState> {
  return {
    kind: 'test',
    async items() {
      const states = await channels.listStates(deps.db, [enabled, autoDisabled])
      return states.filter(({ type }) => !api.UNTESTABLE_TYPES.has(type))
    },
    async visit(channel, signal) {
      const result = await testChannel(deps, { id: channel.id, signal })
      if (!signal.aborted) await applyResult(deps, channel, result)
      return result.ok
    },
    finish: ({ total, done, failed, cancelled }) =>
      deps.db.transaction().execute((transaction) =>
        notifyRoot(transaction, {
          type: 'channel_test',
          title: {
            zh: cancelled ? '渠道测试已取消' : '渠道测试已完成',
            en: cancelled ? 'The test of all channels was cancelled' : 'The test of all channels is done',
          },
          content: {
            zh: '共 {{value}} 个渠道，已测试 {{value}} 个，其中 {{value}} 个未通过。',
            en: 'Of {{value}} channels {{value}} were tested; {{value}} did not pass.',
          },
          values: [total, done, failed].map(String),
        }),
      ),
  }
}

async function applyResult(deps: SweepDeps, channel: ChannelState, result: TestResult): Promise<void> {
  const { settings } = deps.catalog()
  if (channel.status === autoDisabled) {
    if (result.ok && settings.AutomaticEnableChannelEnabled) await enableChannel(deps, { channelId: channel.id })
    return
  }
  const reason = disableReason(settings, channel, result)
  if (reason !== undefined) await disableChannel(deps, { channelId: channel.id, reason })
}

const GEMINI = 24

/**
 * Why a channel must be disabled after a test; undefined when it may stay enabled. An error of one key is no reason
 * while there are others: requests find out which keys fail. The prompt is ours, so one keyword is enough.
 */
export function disableReason(
  settings: Pick<Settings, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords' | 'ChannelDisableThreshold'>,
  { type, usable_keys }: Pick<ChannelState, 'type' | 'usable_keys'>,
  { ok, message, milliseconds, status, keyRejected }: ProbeResult,
): string | undefined {
  if (!settings.AutomaticDisableChannelEnabled) return undefined
  const text = message.toLowerCase()
  const isMentioned = (keyword: string) => keyword !== '' && text.includes(keyword.toLowerCase())
  const isRejected = keyRejected === true || status === 401 || (status === 403 && type === GEMINI)
  if (!ok && usable_keys <= 1 && (isRejected || settings.AutomaticDisableKeywords.some(isMentioned))) return message
  const limit = settings.ChannelDisableThreshold
  if (limit === 0 || milliseconds <= limit * 1000) return undefined
  const seconds = (milliseconds / 1000).toFixed(2)
  return inSiteLanguage({
    zh: `响应时间 ${seconds} 秒，超过上限 ${limit} 秒`,
    en: `response time ${seconds} s is over the limit of ${limit} s`,
  })
}

type BalanceDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp' | 'now' | 'upstream'>

/** Refreshes the balance of all enabled channels whose provider supports it; an empty account disables the channel. */
export function planBalances(deps: BalanceDeps): SweepPlan {
  return {
    kind: 'balance',
    async items() {
      const states = await channels.listStates(deps.db, [api.CHANNEL_STATUS.enabled])
      return states.filter(({ type }) => hasBalance(type))
    },
    async visit({ id }, signal) {
      const { balance, key } = await refreshBalance(deps, id, signal)
      if (balance <= 0 && deps.catalog().settings.AutomaticDisableChannelEnabled) {
        await disableChannel(deps, { channelId: id, key, reason: EMPTY, ignoreAutoBan: true })
      }
      return true
    },
  }
}

const EMPTY = inSiteLanguage({ zh: '余额已用尽', en: 'the balance is used up' })

type DueDeps = TestDeps & Pick<Deps, 'catchUp' | 'upstream'>

const MINUTE_MS = 60_000

/**
 * Runs a sweep when the last one, manual or automatic, is long enough ago. The row stores that time, so a restart
 * neither repeats nor delays it. False when nothing was due.
 */
export async function sweepWhenDue(
  deps: DueDeps,
  { kind, everyMinutes }: { kind: SweepKind; everyMinutes: number },
  stopping: AbortSignal,
): Promise<boolean> {
  const last = await channelSweeps.find(deps.db, kind)
  if (last && (last.running || deps.now().getTime() - last.started_at.getTime() < everyMinutes * MINUTE_MS))
    return false
  if (kind === 'test') return deps.probe !== undefined && runSweep(deps, withoutSummary(planTests(deps)), stopping)
  return deps.upstream !== undefined && runSweep(deps, planBalances(deps), stopping)
}

/** No summary message: it would bury the alerts about disabled channels. */
function withoutSummary<Item extends SweepItem>({ kind, items, visit }: SweepPlan<Item>): SweepPlan<Item> {
  return { kind, items, visit }
}
