import { api, Refusal } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { auditEvents, channels } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import type { Serve } from '../http/serve.ts'
import { channelView } from './channel-view.ts'
import { createChannel } from './create-channel.ts'

export function registerChannels(serve: Serve, deps: Deps): void {
  serve(api.listChannels, async ({ query }) => (await channels.list(deps.db, query)).map(channelView))
  serve(api.createChannel, ({ actor, body, origin }) => createChannel(deps, actor, body, origin))
  serve(api.deleteChannel, ({ actor, params, origin }) => deleteChannel(deps, actor, params.id!, origin))
  serve(api.listChannelModels, () =>
    Object.fromEntries([...CHANNEL_TYPES].map(([type, { models = [] }]) => [String(type), [...models]])),
  )
}

async function deleteChannel(
  deps: Pick<Deps, 'db' | 'catchUp'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  await changeCatalog(deps, async (transaction) => {
    if (!(await channels.remove(transaction, id))) throw new Refusal('channel_not_found')
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.delete',
      subject: String(id),
      ...origin,
    })
  })
}
