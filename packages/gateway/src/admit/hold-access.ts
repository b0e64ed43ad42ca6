import { ApiError } from '@tidegate/contract'
import { isAddressAllowed } from './allow-list.ts'
import type { Call, CallAccess } from '../http/api-request.ts'
import type { Credential } from '../http/credential.ts'
import type { Ports, Caller } from '../ports/index.ts'
import { hasExpired, TOKEN_STATUS, USER_ENABLED } from './authenticate.ts'

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
