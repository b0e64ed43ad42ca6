import { api } from '@tidegate/contract'
import { channelKeyHash, channels } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import { ifMatchOf } from '../http/etag.ts'
import type { Serve } from '../serve.ts'
import { setTagStatus, tagChannels, updateTag } from './tags.ts'
import { channelHealth } from './channel-health.ts'
import { disableKey, enableKey, listKeys, revealKeys } from './keys/channel-keys.ts'
import { channelTag } from './channel-tag.ts'
import { channelDetail, channelView } from './channel-view.ts'
import { copyChannel } from './copy-channel.ts'
import { createChannel } from './create-channel.ts'
import { deleteChannel, deleteChannels } from './delete-channels.ts'
import { findChannel, type StoredChannel } from './channel.ts'
import { fixChannels } from './fix-channels.ts'
import { updateChannel } from './update-channel.ts'

/** Channels, their tags, keys and health; `vendor-routes.ts` has what talks to vendors. */
export function registerChannels(serve: Serve, deps: Deps): void {
  const { db, vault } = deps
  serve(api.listChannels, async ({ query, reply }) => {
    const { rows, total } = await channels.page(db, query)
    void reply.header(api.TOTAL_HEADER, total)
    return rows.map(channelView)
  })
  serve(api.searchChannels, async ({ query: { filters, ...order }, reply }) => {
    const keyHash = filters.keyword === undefined ? undefined : channelKeyHash(vault, filters.keyword)
    const { rows, total } = await channels.search(db, { ...filters, keyHash }, order)
    void reply.header(api.TOTAL_HEADER, total)
    return rows.map(channelView)
  })
  const answerChannel = (reply: FastifyReply, channel: StoredChannel) => {
    void reply.header('ETag', channelTag(channel))
    return channelDetail(vault, channel)
  }
  serve(api.getChannel, async ({ params, reply }) => answerChannel(reply, await findChannel(db, params.id!)))
  serve(api.revealChannelKey, ({ actor, params, origin }) => revealKeys(deps, actor, params.id!, origin))
  serve(api.createChannel, ({ actor, body, origin }) => createChannel(deps, actor, body, origin))
  serve(api.copyChannel, ({ actor, params, body, origin }) =>
    copyChannel(deps, actor, { id: params.id!, name: body.name }, origin),
  )
  serve(api.updateChannel, async ({ actor, body, origin, request, reply }) =>
    answerChannel(reply, await updateChannel(deps, actor, body, { ...origin, ifMatch: ifMatchOf(request) })),
  )
  serve(api.deleteChannel, ({ actor, params, origin }) => deleteChannel(deps, actor, params.id!, origin))
  serve(api.deleteChannels, ({ actor, body, origin }) => deleteChannels(deps, actor, body, origin))
  serve(api.deleteDisabledChannels, ({ actor, origin }) => deleteChannels(deps, actor, { disabled: true }, origin))
  serve(api.fixChannels, ({ actor, origin }) => fixChannels(deps, actor, origin))
  registerTags(serve, deps)
  registerKeys(serve, deps)
  serve(api.getChannelHealth, ({ query }) => channelHealth(deps, query.ids))
}

function registerTags(serve: Serve, deps: Deps): void {
  const { enabled, disabled } = api.CHANNEL_STATUS
  serve(api.listChannelTags, ({ query }) => channels.listTags(deps.db, query))
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
  serve(api.enableChannelKey, ({ actor, params, words, origin }) =>
    enableKey(deps, actor, { id: params.id!, hash: words.hash! }, origin),
  )
  serve(api.disableChannelKey, ({ actor, params, words, origin }) =>
    disableKey(deps, actor, { id: params.id!, hash: words.hash! }, origin),
  )
}
