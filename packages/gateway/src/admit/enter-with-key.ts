import type { Settings } from '@tidegate/contract'
import type { RequestHead, RequestPath } from '@tidegate/dialects'
import type { AuthenticatedRequest } from './admit.ts'
import { checkAccess } from './access.ts'
import { checkBalance } from './check-balance.ts'
import { authenticate } from './authenticate.ts'
import { holdToken } from './hold-access.ts'
import type { Call } from '../http/api-request.ts'
import { readCredential } from '../http/credential.ts'
import { readJson } from '../http/read-json.ts'
import type { Catalog, Ports, Caller } from '../ports/index.ts'

/** Somebody at the door of the data plane. */
export interface Visitor {
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
