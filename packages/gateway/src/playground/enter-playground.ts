import { Refusal, type Settings } from '@tidegate/contract'
import { usableGroup } from '../admit/check-access.ts'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Entrance } from '../enter-with-key.ts'
import type { Call } from '../ingress/call.ts'
import { readBody } from '../ingress/read-body.ts'
import type { Person, Ports } from '../ports.ts'
import { readPlaygroundBody } from './read-playground-body.ts'

/** Two comparisons of four models side by side. */
export const PLAYGROUND_CALLS_AT_ONCE = 8

/** Somebody at the console. The group is in the body, so that is read at the door; whoever knocks has a session. */
export async function enterPlayground(
  { people }: Pick<Ports, 'people'>,
  { request, dialect }: Pick<Call, 'request' | 'dialect'>,
  settings: Pick<Settings, 'UserUsableGroups' | 'GroupRatio'>,
): Promise<Entrance> {
  if (!people) throw new Refusal('service_unavailable')
  const person = await people.identify(request)
  // Forms of other sites cannot have this type.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('unsupported_media_type')
  }
  const { group: wanted, text } = readPlaygroundBody(await readBody(request))
  const group = usableGroup(person, wanted, settings)
  return {
    caller: withoutToken(person, group),
    group,
    readRequest: () => Promise.resolve(dialect.readRequest(text)),
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
