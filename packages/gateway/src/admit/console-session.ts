import { ApiError } from '@tidegate/contract'
import { DialectError, type RequestHead } from '@tidegate/dialects'
import type { AuthenticatedRequest } from './admit.ts'
import { usableGroup } from './access.ts'
import { checkBalance } from './check-balance.ts'
import { holdSession } from './hold-access.ts'
import type { Call } from '../http/api-request.ts'
import { readJson } from '../http/read-json.ts'
import type { Catalog, Person, Ports, Caller } from '../ports/index.ts'
import { readPlaygroundBody } from './read-playground-body.ts'

/** Two comparisons of four models side by side. */
export const PLAYGROUND_CALLS_AT_ONCE = 8

/** Somebody at the console. The group is in the body, so that is read at the door; whoever knocks has a session. */
export async function enterPlayground(
  ports: Pick<Ports, 'people' | 'credit'>,
  call: Pick<Call, 'request' | 'requestId' | 'dialect' | 'clientAddress' | 'access' | 'isDoubted' | 'known'>,
  catalog: Catalog,
): Promise<AuthenticatedRequest<RequestHead>> {
  if (!ports.people) throw new ApiError('service_unavailable')
  const { request, requestId, dialect } = call
  const person = await ports.people.identify(request)
  call.known.caller = withoutToken(person, person.userGroup)
  await holdSession(ports.people, call, person)
  // Forms of other sites cannot have this type.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('unsupported_media_type')
  }
  const { settings } = catalog
  const groups = [person.userGroup, ...Object.keys(settings.UserUsableGroups)]
  const beforeLarge = () =>
    checkBalance(ports, { requestId }, { caller: withoutToken(person, person.userGroup), catalog, groups })
  const body = await readJson(request, { beforeLarge }).catch((error: unknown) => {
    throw error instanceof DialectError ? new ApiError('unmarshal_request_failed', {}, { cause: error }) : error
  })
  const { group: wanted, text, tree } = readPlaygroundBody(body.tree)
  const group = usableGroup(person, wanted, settings)
  const caller = withoutToken(person, group)
  call.known.caller = caller
  call.known.group = group
  return {
    caller,
    group,
    readRequest: () => Promise.resolve(dialect.readRequest(text, undefined, tree)),
  }
}

/** A caller whose own balance is all that limits what they spend. */
function withoutToken(person: Person, group: string): Caller {
  return {
    ...person,
    tokenId: 0,
    tokenName: `playground-${group}`,
    tokenStatus: 1,
    expiredTime: -1,
    unlimitedQuota: true,
    remainQuota: 0,
    modelLimitsEnabled: false,
    modelLimits: [],
    allowIps: '',
    tokenGroup: group,
    maxConcurrency: PLAYGROUND_CALLS_AT_ONCE,
  }
}
