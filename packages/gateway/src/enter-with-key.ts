import type { Settings } from '@tidegate/contract'
import type { RequestHead, RequestPath } from '@tidegate/dialects'
import { checkAccess } from './admit/check-access.ts'
import { authenticate, type Caller } from './authenticate/authenticate.ts'
import type { Call } from './ingress/call.ts'
import { readCredential } from './ingress/credential.ts'
import { readBody } from './ingress/read-body.ts'
import type { Ports } from './ports.ts'

/** Somebody at the door of the data plane. */
export interface Visitor {
  readonly caller: Caller
  /** The group the call is routed and billed in. */
  readonly group: string
}

/** The same with what they are there for. */
export interface Entrance extends Visitor {
  readRequest(): Promise<RequestHead>
}

type Door = Pick<Ports, 'callers' | 'now'>
type Knock = Pick<Call, 'request' | 'dialect' | 'clientAddress'>
type AccessSettings = Pick<Settings, 'UserUsableGroups' | 'GroupRatio'>

/** Whose key a request has, and where it may be used. */
export async function visitorOf(ports: Door, call: Knock, settings: AccessSettings): Promise<Visitor> {
  const caller = await authenticate(ports, readCredential(call.request, call.dialect.id))
  return { caller, group: checkAccess(caller, call.clientAddress, settings) }
}

/** A program with an API key. Its body waits until its limits are known: a stranger's is not worth reading. */
export async function enterWithKey(
  ports: Door,
  call: Knock,
  { path }: { readonly path?: RequestPath },
  settings: AccessSettings,
): Promise<Entrance> {
  const visitor = await visitorOf(ports, call, settings)
  return { ...visitor, readRequest: async () => call.dialect.readRequest(await readBody(call.request), path) }
}
