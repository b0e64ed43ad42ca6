import { api, errorMessage } from '@tidegate/contract'
import { channelKeyHash, channelList, type ChannelPage } from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { ifMatchOf } from '../http/etag.ts'
import { requestLanguage } from '../http/read-request.ts'
import { rejectOnDemoSite } from '../http/request-checks.ts'
import type { Serve } from '../serve.ts'
import { channelHealth } from './health/channel-health.ts'
import { listContext, summarizeChannels } from './health/channel-states.ts'
import { setOrderOfMany, setStatusOfMany } from './change-many.ts'
import { channelDetail, channelEtag, channelView, findChannel, type StoredChannel } from './channel.ts'
import { statsOfChannels } from './health/channel-stats.ts'
import { routePlan } from './health/route-plan.ts'
import { copyChannel, createChannel } from './create-channel.ts'
import { deleteChannel, deleteChannels } from './delete-channels.ts'
import { requireUpstream } from './destination.ts'
import { fixChannels } from './fix-channels.ts'
import { disableKey, enableKey, listKeys, revealKeys } from './keys/channel-keys.ts'
import { fetchChannelModels, fetchUnsavedModels } from './probe/fetch-models.ts'
import { refreshBalance } from './probe/refresh-balance.ts'
import { requireProbe, testChannel, type TestResult } from './probe/channel-test.ts'
import { testUnsavedChannel } from './probe/probe-unsaved.ts'
import { planBalances, planTests } from './sweeps/sweep-plans.ts'
import { cancelSweep, sweepProgress, type Sweeps } from './sweeps/sweep.ts'
import { setTagStatus, tagChannels, updateTag } from './tags.ts'
import { updateChannel } from './update-channel.ts'

/** Channels, tags, keys and health. */
export function registerChannels(serve: Serve, deps: Deps): void {
  const { db, vault } = deps
  registerList(serve, deps)
  const sendChannel = (reply: FastifyReply, channel: StoredChannel) => {
    void reply.header('ETag', channelEtag(channel))
    return channelDetail(vault, channel)
  }
  serve(api.getChannel, async ({ params, reply }) => sendChannel(reply, await findChannel(db, params.id!)))
  serve(api.revealChannelKey, ({ actor, params, origin }) => revealKeys(deps, actor, params.id!, origin))
  serve(api.createChannel, ({ actor, body, origin }) => createChannel(deps, actor, body, origin))
  serve(api.copyChannel, ({ actor, params, body, origin }) =>
    copyChannel(deps, actor, { id: params.id!, name: body.name }, origin),
  )
  serve(api.updateChannel, async ({ actor, body, origin, request, reply }) =>
    sendChannel(reply, await updateChannel(deps, actor, body, { ...origin, ifMatch: ifMatchOf(request) })),
  )
  serve(api.deleteChannel, ({ actor, params, origin }) => deleteChannel(deps, actor, params.id!, origin))
  serve(api.deleteChannels, ({ actor, body, origin }) => deleteChannels(deps, actor, body, origin))
  serve(api.deleteDisabledChannels, ({ actor, origin }) => deleteChannels(deps, actor, { disabled: true }, origin))
  serve(api.fixChannels, ({ actor, origin }) => fixChannels(deps, actor, origin))
  registerBatch(serve, deps)
  registerTags(serve, deps)
  registerKeys(serve, deps)
  serve(api.getChannelHealth, ({ query }) => channelHealth(deps, query.ids))
  serve(api.getRoutePlan, ({ query }) => routePlan(deps, query))
  serve(api.getChannelStats, ({ query }) => statsOfChannels(deps, query.ids))
}

function registerList(serve: Serve, deps: Deps): void {
  const { db, vault } = deps
  const withKeyHash = <Filters extends { keyword?: string | undefined }>(filters: Filters) => ({
    ...filters,
    ...(filters.keyword !== undefined && { keyHash: channelKeyHash(vault, filters.keyword) }),
  })
  const send = (reply: FastifyReply, { rows, total }: ChannelPage) => {
    void reply.header(api.TOTAL_HEADER, total)
    return rows.map(channelView)
  }
  serve(api.listChannels, async ({ query, reply }) =>
    send(reply, await channelList.page(db, query, listContext(deps.now()))),
  )
  serve(api.searchChannels, async ({ query: { filters, ...rest }, reply }) =>
    send(reply, await channelList.search(db, { filters: withKeyHash(filters), ...rest }, listContext(deps.now()))),
  )
  serve(api.getChannelSummary, ({ query }) => summarizeChannels(deps, withKeyHash(query)))
}

function registerBatch(serve: Serve, deps: Deps): void {
  const { enabled, disabled } = api.CHANNEL_STATUS
  serve(api.enableChannels, ({ actor, body, origin }) =>
    setStatusOfMany(deps, actor, { ...body, status: enabled }, origin),
  )
  serve(api.disableChannels, ({ actor, body, origin }) =>
    setStatusOfMany(deps, actor, { ...body, status: disabled }, origin),
  )
  serve(api.setChannelPriority, ({ actor, body, origin }) => setOrderOfMany(deps, actor, body, origin))
  serve(api.setChannelWeight, ({ actor, body, origin }) => setOrderOfMany(deps, actor, body, origin))
}

function registerTags(serve: Serve, deps: Deps): void {
  const { enabled, disabled } = api.CHANNEL_STATUS
  serve(api.listChannelTags, ({ query }) => channelList.listTags(deps.db, query))
  serve(api.tagChannels, ({ actor, body, origin }) => tagChannels(deps, actor, body, origin))
  serve(api.updateChannelTag, ({ actor, body, origin }) => updateTag(deps, actor, body, origin))
  serve(api.enableChannelTag, ({ actor, body, origin }) =>
    setTagStatus(deps, actor, { tag: body.tag, status: enabled }, origin),
  )
  serve(api.disableChannelTag, ({ actor, body, origin }) =>
    setTagStatus(deps, actor, { tag: body.tag, status: disabled }, origin),
  )
}

function registerKeys(serve: Serve, deps: Deps): void {
  serve(api.listChannelKeys, ({ params }) => listKeys(deps, params.id!))
  serve(api.enableChannelKey, ({ actor, params, names, origin }) =>
    enableKey(deps, actor, { id: params.id!, hash: names.hash! }, origin),
  )
  serve(api.disableChannelKey, ({ actor, params, names, origin }) =>
    disableKey(deps, actor, { id: params.id!, hash: names.hash! }, origin),
  )
}

/** Provider requests on behalf of administrators: tests, balances and model lists. */
export function registerProviderCalls(serve: Serve, deps: Deps, sweeps: Sweeps): void {
  registerModels(serve, deps)
  registerTests(serve, deps, sweeps)
  registerBalances(serve, deps, sweeps)
}

function registerModels(serve: Serve, deps: Deps): void {
  serve(api.fetchChannelModels, ({ actor, params, reply }) => {
    rejectOnDemoSite(deps, actor) // it changes nothing, but sends a request with the channel's key
    return fetchChannelModels(deps, params.id!, abortOnDisconnect(reply))
  })
  serve(api.fetchUpstreamModels, ({ body, reply }) => fetchUnsavedModels(deps, body, abortOnDisconnect(reply)))
}

function registerTests(serve: Serve, deps: Deps, sweeps: Sweeps): void {
  const view = ({ ok, message, milliseconds, model, status }: TestResult, request: FastifyRequest) => {
    const time = Math.round(milliseconds) / 1000
    if (ok) return { success: true, message: '', time, model }
    const text = message || errorMessage('channel_test_failed', requestLanguage(deps, request))
    const code = 'channel_test_failed'
    return { success: false, message: text, time, model, code, ...(status !== undefined && { status }) }
  }
  serve(api.testChannel, async ({ params, query, request, reply }) => {
    const options = { id: params.id!, ...query, signal: abortOnDisconnect(reply) }
    return view(await testChannel(deps, options), request)
  })
  serve(api.testUnsavedChannel, async ({ body, request, reply }) =>
    view(await testUnsavedChannel(deps, body, abortOnDisconnect(reply)), request),
  )
  serve(api.testAllChannels, async () => {
    requireProbe(deps)
    await sweeps.start(planTests(deps))
  })
  serve(api.getTestProgress, () => sweepProgress(deps, 'test'))
  serve(api.cancelTests, () => cancelSweep(deps, 'test'))
}

function registerBalances(serve: Serve, deps: Deps, sweeps: Sweeps): void {
  serve(api.refreshBalance, async ({ params, reply }) => {
    const { balance } = await refreshBalance(deps, params.id!, abortOnDisconnect(reply))
    return { success: true as const, message: '', balance }
  })
  serve(api.refreshAllBalances, async () => {
    requireUpstream(deps)
    await sweeps.start(planBalances(deps))
  })
  serve(api.getBalanceProgress, () => sweepProgress(deps, 'balance'))
  serve(api.cancelBalances, () => cancelSweep(deps, 'balance'))
}

/** Aborts when the client disconnects. */
function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
