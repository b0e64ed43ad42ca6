import { API_TOKEN, ApiError, isAdmin, hasWrongChecksum, type Settings, tokenHint } from '@tidegate/contract'
import type { RequestHead, RequestPath } from '@tidegate/dialects'
import type { ApiRequest, RequestAccess } from '../http/api-request.ts'
import { type Credential, readCredential } from '../http/credential.ts'
import { readJson } from '../http/read-body.ts'
import type { Caller, CallerRecord, Catalog, Ports } from '../ports/index.ts'
import { checkAccess, isAddressAllowed } from './access.ts'
import type { AuthenticatedRequest } from './admit.ts'
import { checkBalance } from './credit.ts'

interface AuthenticatedCaller {
  readonly caller: Caller
  /** The group that the request is routed and billed in. */
  readonly group: string
}

type AuthenticationPorts = Pick<Ports, 'callers' | 'now' | 'recordRejectedAddress'>
type UnauthenticatedRequest = Pick<
  ApiRequest,
  'request' | 'dialect' | 'clientAddress' | 'requestId' | 'access' | 'needsRecheck' | 'known' | 'body' | 'batchLine'
>
type AccessSettings = Pick<Settings, 'UserUsableGroups' | 'GroupRatio' | 'AutoGroups'>

/** Authenticates by API token, and checks the client's address and the group. */
export async function authenticateRequest(
  ports: AuthenticationPorts,
  incoming: UnauthenticatedRequest,
  settings: AccessSettings,
): Promise<AuthenticatedCaller> {
  const { batchLine } = incoming
  const credential: Credential = batchLine
    ? { key: '', tokenId: batchLine.tokenId }
    : readCredential(incoming.request, incoming.dialect.id)
  const caller = await authenticate(ports, credential, incoming.known)
  const checking = watchToken(ports, incoming, credential, caller)
  if (checking) await checking
  const group = checkAccess(caller, ports, incoming, settings)
  incoming.known.group = group
  return { caller, group }
}

/**
 * Authenticates by API token. The body is read only after rate limits pass; a large one only if the account can pay.
 */
export async function authenticateByToken(
  ports: AuthenticationPorts & Pick<Ports, 'credit'>,
  incoming: UnauthenticatedRequest,
  { path }: { readonly path?: RequestPath },
  catalog: Catalog,
): Promise<AuthenticatedRequest<RequestHead>> {
  const { caller, group } = await authenticateRequest(ports, incoming, catalog.settings)
  return {
    caller,
    group,
    async readRequest() {
      const beforeLarge = () => checkBalance(ports, incoming, { caller, catalog, groups: [group] })
      const { text, json } = await readJson(incoming.request, { beforeLarge, bytes: incoming.body })
      return incoming.dialect.readRequest(text, path, json)
    },
  }
}

const TOKEN_STATUS = { enabled: 1, expired: 3, exhausted: 4 }
const USER_ENABLED = 1

/**
 * Finds the caller of an API token and checks the token and its owner, in the order that clients rely on. `known` gets
 * the record of a known token, also when the token is rejected.
 */
export async function authenticate(
  { callers, now }: Pick<Ports, 'callers' | 'now'>,
  credential: Credential,
  known?: { caller?: CallerRecord | undefined },
): Promise<Caller> {
  const { key, pin, tokenId } = credential
  if (tokenId === undefined && key === '') throw new ApiError('api_key_missing')
  if (hasWrongChecksum(API_TOKEN, key)) throw new ApiError('api_key_mistyped')
  const record = await findRecord(callers, credential)
  if (!record) throw new ApiError('api_key_invalid')
  if (known) known.caller = record
  const moment = now()

  if (record.tokenStatus === TOKEN_STATUS.exhausted) throw exhaustedError(record, key, moment)
  if (record.tokenStatus === TOKEN_STATUS.expired) throw new ApiError('api_key_expired')
  if (record.tokenStatus !== TOKEN_STATUS.enabled) throw new ApiError('api_key_disabled')
  if (hasExpired(record, moment)) throw new ApiError('api_key_expired')
  if (!record.unlimitedQuota && record.remainQuota <= 0) throw exhaustedError(record, key, moment)
  if (record.userStatus !== USER_ENABLED) throw new ApiError('api_key_owner_disabled')
  return pin === undefined ? record : { ...record, pinnedChannelId: readPin(record, pin) }
}

function findRecord(callers: Ports['callers'], { key, tokenId }: Credential): Promise<CallerRecord | undefined> {
  return tokenId === undefined ? callers.find(key) : callers.findById(tokenId)
}

function hasExpired({ tokenStatus, expiredTime }: CallerRecord, now: number): boolean {
  return tokenStatus === TOKEN_STATUS.expired || (expiredTime !== -1 && expiredTime * 1000 <= now)
}

/** The quota of a budget is restored later: the error says when. */
function exhaustedError({ budgetResetsAt }: CallerRecord, key: string, now: number): ApiError {
  const hint = tokenHint(key, '***')
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

type RevocableRequest = Pick<ApiRequest, 'access' | 'needsRecheck' | 'clientAddress' | 'request'>

/** Allows a running request to be checked again by its API token. */
export function watchToken(
  ports: Pick<Ports, 'callers' | 'now'>,
  incoming: RevocableRequest,
  credential: Credential,
  caller: Caller,
): Promise<void> | undefined {
  return watchAccess(incoming, new TokenAccess(ports, incoming, credential, caller))
}

class TokenAccess implements RequestAccess {
  readonly userId: number
  readonly tokenHash: string | undefined
  readonly #ports: Pick<Ports, 'callers' | 'now'>
  readonly #incoming: RevocableRequest
  readonly #credential: Credential
  readonly #caller: Caller

  constructor(
    ports: Pick<Ports, 'callers' | 'now'>,
    incoming: RevocableRequest,
    credential: Credential,
    caller: Caller,
  ) {
    this.userId = caller.userId
    this.tokenHash = caller.tokenHash
    this.#ports = ports
    this.#incoming = incoming
    this.#credential = credential
    this.#caller = caller
  }

  check(): Promise<ApiError | undefined> {
    return checkToken(this.#ports, this.#incoming, this.#credential, this.#caller)
  }
}

/** Allows a running request to be checked again by its session. */
export function watchSession(
  users: NonNullable<Ports['users']>,
  incoming: RevocableRequest,
  { userId, userRole }: Pick<Caller, 'userId' | 'userRole'>,
): Promise<void> | undefined {
  const check = async () => {
    try {
      const person = await users.identify(incoming.request)
      return person.userRole === userRole ? undefined : new ApiError('access_changed')
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error
      throw error
    }
  }
  return watchAccess(incoming, { userId, check })
}

function watchAccess(incoming: RevocableRequest, access: RequestAccess): Promise<void> | undefined {
  incoming.access = access
  return incoming.needsRecheck ? rejectRevoked(access) : undefined
}

async function rejectRevoked(access: RequestAccess): Promise<void> {
  const failure = await access.check()
  if (failure) throw failure
}

/** An exhausted quota does not end a running request: its credit is reserved. */
async function checkToken(
  { callers, now }: Pick<Ports, 'callers' | 'now'>,
  { clientAddress }: RevocableRequest,
  credential: Credential,
  { userRole }: Caller,
): Promise<ApiError | undefined> {
  const record = await findRecord(callers, credential)
  if (!record) return new ApiError('api_key_invalid')
  const { tokenStatus, userStatus, allowIps } = record
  if (userStatus !== USER_ENABLED) return new ApiError('api_key_owner_disabled')
  if (hasExpired(record, now())) return new ApiError('api_key_expired')
  const isUsable = tokenStatus === TOKEN_STATUS.enabled || tokenStatus === TOKEN_STATUS.exhausted
  if (!isUsable) return new ApiError('api_key_disabled')
  if (record.userRole !== userRole) return new ApiError('access_changed')
  return isAddressAllowed(allowIps, clientAddress) ? undefined : new ApiError('ip_not_allowed')
}
