import { API_TOKEN, ApiError, isAdmin, isMistyped, type Settings, tokenHint } from '@tidegate/contract'
import type { RequestHead, RequestPath } from '@tidegate/dialects'
import type { Call, CallAccess } from '../http/api-request.ts'
import { type Credential, readCredential } from '../http/credential.ts'
import { readJson } from '../http/read-body.ts'
import type { Caller, CallerRecord, Catalog, Ports } from '../ports/index.ts'
import { checkAccess, isAddressAllowed } from './access.ts'
import type { AuthenticatedRequest } from './admit.ts'
import { checkBalance } from './credit.ts'

/** Somebody at the door of the data plane. */
interface Visitor {
  readonly caller: Caller
  /** The group the call is routed and billed in. */
  readonly group: string
}

type Door = Pick<Ports, 'callers' | 'now' | 'recordRejectedAddress'>
type Knock = Pick<Call, 'request' | 'dialect' | 'clientAddress' | 'requestId' | 'access' | 'isDoubted' | 'known'>
type AccessSettings = Pick<Settings, 'UserUsableGroups' | 'GroupRatio' | 'AutoGroups'>

/** Whose key a request has, and where it may be used. */
export async function visitorOf(ports: Door, call: Knock, settings: AccessSettings): Promise<Visitor> {
  const credential = readCredential(call.request, call.dialect.id)
  const caller = await authenticate(ports, credential, (record) => (call.known.caller = record))
  const checking = holdToken(ports, call, credential, caller)
  if (checking) await checking
  const group = checkAccess(caller, ports, call, settings)
  call.known.group = group
  return { caller, group }
}

/** Authenticates by API token. The body is read only after rate limits pass, and a large one only for those who can pay. */
export async function enterWithKey(
  ports: Door & Pick<Ports, 'credit'>,
  call: Knock,
  { path }: { readonly path?: RequestPath },
  catalog: Catalog,
): Promise<AuthenticatedRequest<RequestHead>> {
  const { caller, group } = await visitorOf(ports, call, catalog.settings)
  const beforeLarge = () => checkBalance(ports, call, { caller, catalog, groups: [group] })
  return {
    caller,
    group,
    async readRequest() {
      const { text, tree } = await readJson(call.request, { beforeLarge })
      return call.dialect.readRequest(text, path, tree)
    },
  }
}

const TOKEN_STATUS = { enabled: 1, expired: 3, exhausted: 4 }
const USER_ENABLED = 1

/**
 * The owner of a key, after every check that needs nothing but the token and its owner, in the order clients rely on.
 * `found` gets the record of a token that is known, also when it is rejected.
 */
export async function authenticate(
  { callers, now }: Pick<Ports, 'callers' | 'now'>,
  { key, pin }: Credential,
  found?: (record: CallerRecord) => void,
): Promise<Caller> {
  if (key === '') throw new ApiError('api_key_missing')
  if (isMistyped(API_TOKEN, key)) throw new ApiError('api_key_mistyped')
  const record = await callers.find(key)
  if (!record) throw new ApiError('api_key_invalid')
  found?.(record)
  const exhausted = () => spent(record, tokenHint(key, '***'), now())

  if (record.tokenStatus === TOKEN_STATUS.exhausted) throw exhausted()
  if (record.tokenStatus === TOKEN_STATUS.expired) throw new ApiError('api_key_expired')
  if (record.tokenStatus !== TOKEN_STATUS.enabled) throw new ApiError('api_key_disabled')
  if (hasExpired(record, now())) throw new ApiError('api_key_expired')
  if (!record.unlimitedQuota && record.remainQuota <= 0) throw exhausted()
  if (record.userStatus !== USER_ENABLED) throw new ApiError('api_key_owner_disabled')
  return pin === undefined ? record : { ...record, pinnedChannelId: readPin(record, pin) }
}

function hasExpired({ tokenStatus, expiredTime }: CallerRecord, now: number): boolean {
  return tokenStatus === TOKEN_STATUS.expired || (expiredTime !== -1 && expiredTime * 1000 <= now)
}

/** A budget comes back: its client is told when. */
function spent({ budgetResetsAt }: CallerRecord, hint: string, now: number): ApiError {
  if (budgetResetsAt === undefined) return new ApiError('api_key_exhausted', { hint })
  const retryAfterSeconds = Math.max(1, Math.ceil(budgetResetsAt - now / 1000))
  const time = new Date(budgetResetsAt * 1000).toISOString()
  return new ApiError('api_key_budget_spent', { hint, time }, { retryAfterSeconds })
}

function readPin({ userRole }: CallerRecord, pin: string): number {
  if (!isAdmin(userRole)) throw new ApiError('channel_pin_refused')
  if (!/^\d{1,15}$/.test(pin)) {
    throw new ApiError('invalid_text_request', { reason: 'the channel id after the API key is not a number' })
  }
  return Number(pin)
}

type HeldCall = Pick<Call, 'access' | 'isDoubted' | 'clientAddress' | 'request'>

/** Lets a running call be checked again by its API token. */
export function holdToken(
  ports: Pick<Ports, 'callers' | 'now'>,
  call: HeldCall,
  credential: Credential,
  caller: Caller,
): Promise<void> | undefined {
  const { userId, tokenHash } = caller
  return hold(call, { userId, tokenHash, check: () => checkToken(ports, call, credential, caller) })
}

/** Lets a running call be checked again by its session. */
export function holdSession(
  people: NonNullable<Ports['people']>,
  call: HeldCall,
  { userId, userRole }: Pick<Caller, 'userId' | 'userRole'>,
): Promise<void> | undefined {
  const check = async () => {
    try {
      const person = await people.identify(call.request)
      return person.userRole === userRole ? undefined : new ApiError('access_changed')
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error
      throw error
    }
  }
  return hold(call, { userId, check })
}

function hold(call: HeldCall, access: CallAccess): Promise<void> | undefined {
  call.access = access
  return call.isDoubted ? refuseRevoked(access) : undefined
}

async function refuseRevoked(access: CallAccess): Promise<void> {
  const failure = await access.check()
  if (failure) throw failure
}

/** A quota that is used up does not end a call: credit for it is reserved. */
async function checkToken(
  { callers, now }: Pick<Ports, 'callers' | 'now'>,
  { clientAddress }: HeldCall,
  { key }: Credential,
  { userRole }: Caller,
): Promise<ApiError | undefined> {
  const record = await callers.find(key)
  if (!record) return new ApiError('api_key_invalid')
  const { tokenStatus, userStatus, allowIps } = record
  if (userStatus !== USER_ENABLED) return new ApiError('api_key_owner_disabled')
  if (hasExpired(record, now())) return new ApiError('api_key_expired')
  const isUsable = tokenStatus === TOKEN_STATUS.enabled || tokenStatus === TOKEN_STATUS.exhausted
  if (!isUsable) return new ApiError('api_key_disabled')
  if (record.userRole !== userRole) return new ApiError('access_changed')
  return isAddressAllowed(allowIps, clientAddress) ? undefined : new ApiError('ip_not_allowed')
}
