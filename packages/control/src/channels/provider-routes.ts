import { api, errorMessage } from '@tidegate/contract'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import { requestLanguage } from '../http/read-request.ts'
import { refuseChangesOnDemoSite, type Serve } from '../serve.ts'
import { fetchChannelModels, fetchUnsavedModels } from './probe/fetch-models.ts'
import { enabledModels, knownModels, suggestedModels, unpricedModels, withoutPrice } from '../models/channel-models.ts'
import { refreshBalance } from './probe/refresh-balance.ts'
import { planBalances } from './sweeps/sweep-balances.ts'
import { planTests } from './sweeps/sweep-plans.ts'
import { cancelSweep, sweepProgress, type Sweeps } from './sweeps/sweep.ts'
import { requireProbe, testChannel } from './probe/test-channel.ts'
import { requireUpstream } from './provider-target.ts'

/** What vendors are asked on behalf of administrators: tests, balances, lists of models. */
export function registerVendorCalls(serve: Serve, deps: Deps, sweeps: Sweeps): void {
  registerModels(serve, deps)
  registerTests(serve, deps, sweeps)
  registerBalances(serve, deps, sweeps)
}

function registerModels(serve: Serve, deps: Deps): void {
  serve(api.listChannelModels, suggestedModels)
  serve(api.listKnownModels, knownModels)
  serve(api.listEnabledModels, () => enabledModels(deps))
  serve(api.listUnpricedModels, () => unpricedModels(deps.catalog()))
  serve(api.findUnpricedModels, ({ body }) => withoutPrice(deps.catalog(), body))
  serve(api.fetchChannelModels, ({ actor, params, reply }) => {
    refuseChangesOnDemoSite(deps, actor) // it changes nothing, but makes a call with the channel's key
    return fetchChannelModels(deps, params.id!, untilCallerLeaves(reply))
  })
  serve(api.fetchUpstreamModels, ({ body, reply }) => fetchUnsavedModels(deps, body, untilCallerLeaves(reply)))
}

function registerTests(serve: Serve, deps: Deps, sweeps: Sweeps): void {
  serve(api.testChannel, async ({ params, query, request, reply }) => {
    const order = { id: params.id!, ...query, signal: untilCallerLeaves(reply) }
    const { ok, message, milliseconds, model } = await testChannel(deps, order)
    const time = Math.round(milliseconds) / 1000
    if (ok) return { success: true, message: '', time, model }
    const text = message || errorMessage('channel_test_failed', requestLanguage(deps, request))
    return { success: false, message: text, time, model, code: 'channel_test_failed' }
  })
  serve(api.testAllChannels, async () => {
    requireProbe(deps)
    await sweeps.start(planTests(deps))
  })
  serve(api.getTestProgress, () => sweepProgress(deps, 'test'))
  serve(api.cancelTests, () => cancelSweep(deps, 'test'))
}

function registerBalances(serve: Serve, deps: Deps, sweeps: Sweeps): void {
  serve(api.refreshBalance, async ({ params, reply }) => {
    const { balance } = await refreshBalance(deps, params.id!, untilCallerLeaves(reply))
    return { success: true as const, message: '', balance }
  })
  serve(api.refreshAllBalances, async () => {
    requireUpstream(deps)
    await sweeps.start(planBalances(deps))
  })
  serve(api.getBalanceProgress, () => sweepProgress(deps, 'balance'))
  serve(api.cancelBalances, () => cancelSweep(deps, 'balance'))
}

/** Ends what a call waits for when the one who made it hangs up. */
function untilCallerLeaves({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
