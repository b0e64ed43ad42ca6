import { api, ApiError, toPage, type PageRequest } from '@tidegate/contract'
import { deliveries, inbox, type MessageFilters, messages, type RecipientRow } from '@tidegate/storage'
import type { FastifyRequest } from 'fastify'
import { isStillAllowed } from '../auth/authenticate.ts'
import type { Deps } from '../deps.ts'
import { applyEtag } from '../http/etag.ts'
import { requestLanguage } from '../http/read-request.ts'
import { sendEvents } from '../http/send-stream.ts'
import type { Serve } from '../serve.ts'
import { createMessage, deleteMessage, updateMessage } from './messages/manage-messages.ts'
import { readDates } from './messages/message-fields.ts'
import { inboxView, messageViews, viewOf } from './messages/message-view.ts'
import { followUnread, type UnreadFeed } from './messages/unread-feed.ts'
import { deliveryView } from './outbox/delivery-result.ts'
import { retryDelivery, sendTestNotification, sendTestPush } from './outbox/manual-delivery.ts'
import { listPushDevices, subscribePush, unsubscribePush } from './push/devices.ts'

/** Inbox messages, and notifications by mail, webhook and push. */
export function registerMessaging(serve: Serve, deps: Deps, unread: UnreadFeed): void {
  registerMessages(serve, deps, unread)
  registerNotifications(serve, deps)
  registerPush(serve, deps)
}

/** The inbox of users, and messages of administrators. */
function registerMessages(serve: Serve, deps: Deps, unread: UnreadFeed): void {
  registerInbox(serve, deps, unread)
  registerAdministration(serve, deps)
}

function registerInbox(serve: Serve, deps: Deps, feed: UnreadFeed): void {
  const { db, now } = deps
  serve(api.listInbox, async ({ actor, query }) => {
    const [rows, total] = await Promise.all([inbox.page(db, actor.id, query), inbox.count(db, actor.id)])
    return toPage(rows.map(inboxView), total, query)
  })
  serve(api.readInboxMessage, async ({ actor, params }) => {
    await inbox.markRead(db, actor.id, { messageId: params.id!, now: now() })
    const row = await inbox.find(db, actor.id, params.id!)
    if (!row) throw new ApiError('message_not_found')
    return inboxView(row)
  })
  serve(api.markInboxMessageRead, async ({ actor, params }) => {
    const marked = await inbox.markRead(db, actor.id, { messageId: params.id!, now: now() })
    if (marked === 0 && !(await inbox.has(db, actor.id, params.id!))) throw new ApiError('message_not_found')
  })
  serve(api.markInboxRead, ({ actor }) => inbox.markRead(db, actor.id, { now: now() }))
  serve(api.getUnreadCount, async ({ actor, request, reply }) => {
    const count = { unread_count: await inbox.unreadCount(db, actor.id) }
    applyEtag(request, reply, count)
    return count
  })
  serve(api.followUnreadCount, async ({ actor, origin, request, reply }) => {
    const isAllowed = () => isStillAllowed(deps, request, { endpoint: api.followUnreadCount, origin })
    await sendEvents(reply, (signal) => followUnread(feed, { userId: actor.id, isAllowed, signal }))
    return ''
  })
}

/** Limit for responses without paging. */
const UNPAGED = { limit: 10_000, offset: 0 }

function registerAdministration(serve: Serve, deps: Deps): void {
  const { db } = deps
  const list = async (filters: MessageFilters, page: PageRequest) => {
    const [rows, total] = await Promise.all([messages.page(db, filters, page), messages.count(db, filters)])
    return toPage(await messageViews(db, rows), total, page)
  }
  const find = async (id: number) => {
    const row = await messages.find(db, id)
    if (!row) throw new ApiError('message_not_found')
    return row
  }
  serve(api.listMessages, ({ query }) => list(query.filters, query.page))
  serve(api.searchMessages, ({ query: { filters, page } }) =>
    list({ keyword: filters.keyword, ...readDates(filters) }, page),
  )
  serve(api.getMessage, async ({ params }) => viewOf(db, await find(params.id!)))
  serve(api.listMessageRecipients, async ({ params, query: page }) => {
    const { id, delivered } = await find(params.id!)
    const rows = await messages.recipients(db, id, page ?? UNPAGED)
    return page ? toPage(rows.map(recipientView), delivered, page) : rows.map(recipientView)
  })
  serve(api.createMessage, ({ actor, body, origin }) => createMessage(deps, actor, body, origin))
  serve(api.updateMessage, ({ actor, params, body, origin }) => updateMessage(deps, actor, params.id!, body, origin))
  serve(api.deleteMessage, ({ actor, params, origin }) => deleteMessage(deps, actor, params.id!, origin))
}

function recipientView({ user_id, username, display_name, read_at }: RecipientRow): api.MessageRecipient {
  return {
    user_id,
    username: username ?? '',
    display_name: display_name ?? '',
    read_at: read_at?.toISOString() ?? null,
  }
}

/** Notifications by mail and webhook, and their deliveries. */
function registerNotifications(serve: Serve, deps: Deps): void {
  const { db } = deps
  const languageOf = (request: FastifyRequest) => requestLanguage(deps, request)
  serve(api.listDeliveries, async ({ actor, query, request }) => {
    const [rows, total] = await Promise.all([deliveries.listOf(db, actor.id, query), deliveries.countOf(db, actor.id)])
    return toPage(
      rows.map((row) => deliveryView(row, languageOf(request))),
      total,
      query,
    )
  })
  serve(api.retryDelivery, async ({ actor, params, request }) =>
    deliveryView(await retryDelivery(deps, actor, params.id!), languageOf(request)),
  )
  serve(api.testNotice, async ({ actor, body, request }) => {
    const language = languageOf(request)
    return deliveryView(await sendTestNotification(deps, actor, body, language), language)
  })
}

/** Browsers that receive push notifications. */
function registerPush(serve: Serve, deps: Deps): void {
  serve(api.getPush, ({ actor }) => listPushDevices(deps, actor))
  serve(api.subscribePush, ({ actor, body, origin }) => subscribePush(deps, actor, body, origin))
  serve(api.unsubscribePush, ({ actor, query, origin }) => unsubscribePush(deps, actor, query, origin))
  serve(api.testPush, async ({ actor, body, request }) => {
    const language = requestLanguage(deps, request)
    return deliveryView(await sendTestPush(deps, actor, body.id, language), language)
  })
}
