import { ApiError } from '@tidegate/contract'
import { deliveries, type DeliveryRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/actor.ts'
import { resultOf } from './deliver-notifications.ts'
import { sendNotice, type SendDeps } from './send-notification.ts'
import { spendSending } from './spend-sending.ts'

/** Sends a failed notice of the actor's once more, now. When the process dies meanwhile, the worker goes on with it. */
export async function retryDelivery(
  deps: SendDeps & Pick<Deps, 'limiter'>,
  actor: Actor,
  id: number,
): Promise<DeliveryRow> {
  if (!(await deliveries.isOf(deps.db, actor.id, id))) throw new ApiError('delivery_not_found')
  await spendSending(deps, actor)
  const delivery = await deliveries.claimFailed(deps.db, actor.id, id)
  if (!delivery) throw new ApiError('delivery_not_failed')
  const sent = await sendNotice(deps, delivery)
  const status = sent.error === '' ? 'delivered' : 'failed'
  return (await deliveries.finish(deps.db, delivery, { status, ...resultOf(sent) })) ?? delivery
}
