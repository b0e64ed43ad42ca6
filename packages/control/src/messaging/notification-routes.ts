import { api, pageAnswer } from '@tidegate/contract'
import { deliveries } from '@tidegate/storage'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { requestLanguage } from '../http/read-request.ts'
import type { Serve } from '../serve.ts'
import { deliveryView } from './notifications/delivery-view.ts'
import { retryDelivery } from './notifications/retry-delivery.ts'
import { testNotice } from './notifications/manual-delivery.ts'

/** Notices by mail and webhook, and the record of their delivery. */
export function registerNotices(serve: Serve, deps: Deps): void {
  const { db } = deps
  const languageOf = (request: FastifyRequest) => requestLanguage(deps, request)
  serve(api.listDeliveries, async ({ actor, query, request }) => {
    const [rows, total] = await Promise.all([deliveries.listOf(db, actor.id, query), deliveries.countOf(db, actor.id)])
    return pageAnswer(
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
    return deliveryView(await testNotice(deps, actor, body, language), language)
  })
}
