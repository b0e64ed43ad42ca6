import { groupsToTry, isAutoGroup, ApiError, type Settings } from '@tidegate/contract'
import type { Call } from '../http/api-request.ts'
import type { Ports, Caller } from '../ports/index.ts'
import { isAddressAllowed } from './allow-list.ts'

type AccessPorts = Pick<Ports, 'recordRejectedAddress'>
type GroupSettings = Pick<Settings, 'UserUsableGroups' | 'GroupRatio' | 'AutoGroups'>
type AccessRequest = Pick<Call, 'clientAddress' | 'requestId'>

/** The group a caller's requests are routed and billed in. Refuses an address or a group the token may not use. */
export function checkAccess(
  caller: Caller,
  { recordRejectedAddress }: AccessPorts,
  { clientAddress, requestId }: AccessRequest,
  settings: GroupSettings,
): string {
  if (!isAddressAllowed(caller.allowIps, clientAddress)) {
    recordRejectedAddress?.({ userId: caller.userId, tokenName: caller.tokenName, clientAddress, requestId })
    throw new ApiError('ip_not_allowed')
  }
  return usableGroup(caller, caller.tokenGroup, settings)
}

/** The group that is asked for, or the caller's own when none is. `auto` stays: each request finds its group by its model. */
export function usableGroup({ userGroup }: Pick<Caller, 'userGroup'>, group: string, settings: GroupSettings): string {
  if (group === '') return userGroup
  if (isAutoGroup(settings, group) && groupsToTry(settings, userGroup, group).length > 0) return group
  const usable = group === userGroup || Object.hasOwn(settings.UserUsableGroups, group)
  if (!usable || !Object.hasOwn(settings.GroupRatio, group)) throw new ApiError('group_not_allowed', { group })
  return group
}

/** Refuses a model outside the token's limits, compared as it was sent. A pinned channel knows no limits. */
export function checkModel(caller: Caller, model: string): void {
  checkName(model)
  if (!caller.modelLimitsEnabled || caller.pinnedChannelId !== undefined) return
  if (!caller.modelLimits.includes(model)) throw new ApiError('model_not_allowed', { model })
}

/** Refuses what can be kept nowhere as the name of a model. */
export function checkName(model: string): void {
  if (!isName(model)) throw new ApiError('invalid_text_request', { reason: 'this cannot be the name of a model' })
}

/** No vendor has names as long; the database could not index them, and logs would be filled by whoever makes them up. */
const LONGEST_NAME = 256

/**
 * Whether a text can go where names of models go: into records, which take no zero, and into the addresses of vendors,
 * where a dot that stands alone leads to another call.
 */
function isName(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  return text.length <= LONGEST_NAME && text.isWellFormed() && !/[\u0000-\u001f\u007f]|\.$/.test(text)
}
