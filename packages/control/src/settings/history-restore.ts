import { ApiError } from '@tidegate/contract'
import { auditEvents } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { isSecret, OPTION_CHANGE, textIn } from './history.ts'
import { updateOption } from './update-option.ts'

/** Sets an option to what it was before a change. It is a change like any other, which the trail says came from there. */
export async function restoreOption(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  const event = await auditEvents.find(deps.db, id)
  if (event?.action !== OPTION_CHANGE) throw new ApiError('option_change_not_found')
  const key = event.subject
  if (isSecret(key)) throw new ApiError('option_change_secret', { key })
  const value = textIn(event.details, 'before')
  if (value === null) throw new ApiError('option_change_without_before', { key })
  await updateOption(deps, actor, { key, value }, origin, { restored_from: id })
}
