import { BlockList, isIP } from 'node:net'
import { ApiError, candidateGroups, isAutoGroup, type Settings, cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { ApiRequest } from '../http/api-request.ts'
import type { Caller, Ports } from '../ports/index.ts'

type AccessPorts = Pick<Ports, 'recordRejectedAddress'>
type GroupSettings = Pick<Settings, 'UserUsableGroups' | 'GroupRatio' | 'AutoGroups'>
type AccessRequest = Pick<ApiRequest, 'clientAddress' | 'requestId'>

/**
 * Returns the group that the caller's requests are routed and billed in. Rejects an address or a group that the token
 * may not use.
 */
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

/** The requested group, or the caller's own by default. `auto` is kept: each request resolves it by its model. */
export function usableGroup({ userGroup }: Pick<Caller, 'userGroup'>, group: string, settings: GroupSettings): string {
  if (group === '') return userGroup
  if (isAutoGroup(settings, group) && candidateGroups(settings, userGroup, group).length > 0) return group
  const usable = group === userGroup || Object.hasOwn(settings.UserUsableGroups, group)
  if (!usable || !Object.hasOwn(settings.GroupRatio, group)) throw new ApiError('group_not_allowed', { group })
  return group
}

/** Rejects a model outside the token's limits, compared as it was sent. Pinned channels have no model limits. */
export function checkModel(caller: Caller, model: string): void {
  checkName(model)
  if (!caller.modelLimitsEnabled || caller.pinnedChannelId !== undefined) return
  if (!caller.modelLimits.includes(model)) throw new ApiError('model_not_allowed', { model })
}

/** Rejects a model name that cannot be stored. */
export function checkName(model: string): void {
  if (!isName(model)) throw new ApiError('invalid_text_request', { reason: 'this cannot be the name of a model' })
}

/** No provider has longer names. The database could not index them, and callers could fill the logs with them. */
const MAX_NAME_LENGTH = 256

/**
 * Whether a text is usable as a model name. PostgreSQL rejects NUL in text, and a segment such as `..` in a provider's
 * URL leads to another endpoint.
 */
function isName(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are rejected on purpose
  return text.length <= MAX_NAME_LENGTH && text.isWellFormed() && !/[\u0000-\u001f\u007f]|\.$/.test(text)
}

/** Parsed allow lists. Requests come with few lists, again and again. */
const parsedLists = new LRUCache<string, BlockList | 'any'>(cacheLimit(5_000))

/** Whether a token's allow list contains the address. A list with only invalid entries allows no address. */
export function isAddressAllowed(allowIps: string, address: string): boolean {
  if (allowIps === '') return true
  let list = parsedLists.get(allowIps)
  if (list === undefined) parsedLists.set(allowIps, (list = readList(allowIps)))
  if (list === 'any') return true
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function readList(allowIps: string): BlockList | 'any' {
  const lines = allowIps
    .split(/[\n,]/)
    .map((line) => line.replace(/\s/g, ''))
    .filter((line) => line !== '')
  if (lines.length === 0) return 'any'
  const list = new BlockList()
  for (const line of lines) addLine(list, line)
  return list
}

function addLine(list: BlockList, line: string): void {
  const [address = '', prefix, ...rest] = line.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) list.addAddress(address, type)
  else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)) {
    list.addSubnet(address, Number(prefix), type)
  }
}

/** Rejects requests from browser extensions, where the operator blocks them. */
export function checkOrigin(
  origin: string | undefined,
  settings: Pick<Settings, 'global.block_browser_extension_enabled'>,
): void {
  if (!settings['global.block_browser_extension_enabled'] || !origin) return
  if (origin.includes('extension') && origin.includes('://')) throw new ApiError('browser_extension_blocked')
}
