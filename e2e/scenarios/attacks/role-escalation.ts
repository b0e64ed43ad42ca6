import { api } from '@tidegate/contract'
import { sendRequest } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { digestOwnedRows, changedTables } from './support/database-digest.ts'
import { brief, Findings } from './support/findings.ts'
import { type Account, sessionOf } from './support/accounts.ts'
import { pathOf, type Route, ROUTES, sampleOf } from './support/routes.ts'

const RANK_CODES = /^(rank_|only_root_promotes|root_protected|forbidden|group_unknown)/

/** No account may change an account of the same or a higher role, through any endpoint that names a user. */
export async function escalateRole(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  for (const account of [site.admin, site.peer, site.root]) await account.refresh()
  for (const target of [site.peer, site.root]) {
    const before = await digestOwnedRows(db, [target.id])
    for (const { name, method, path, body } of attemptsOn(target)) {
      const response = await sendRequest(site.url, { method, path, headers: sessionOf(site.admin), body })
      findings.check(
        RANK_CODES.test(response.code),
        () => `${name} on ${target.role} by an admin: ${response.status} ${brief(response.text)}`,
      )
      const changed = changedTables(before, await digestOwnedRows(db, [target.id]))
      findings.check(changed.length === 0, () => `${name} on ${target.role} by an admin changed ${changed.join(', ')}`)
    }
  }
  const promoted = await sendRequest(site.url, {
    method: 'POST',
    path: api.manageUser.path,
    headers: sessionOf(site.admin),
    body: { id: site.user.id, action: 'promote' },
  })
  findings.check(promoted.code === 'only_root_promotes', () => `an admin promotes: ${promoted.text}`)
  return findings
}

interface Attempt {
  name: string
  method: string
  path: string
  body: object | undefined
}

/** Endpoints about a user: by an ID in the path, or an ID in the body beside fields that only users have. */
function attemptsOn(target: Account): Attempt[] {
  const ofUsers = ROUTES.filter(({ endpoint }) => endpoint.access === 'admin' && endpoint.path.startsWith('/api/user'))
  return ofUsers.flatMap((route): Attempt[] => {
    const { name, endpoint } = route
    const { method } = endpoint
    if (endpoint.path.includes('{id}'))
      return [{ name, method, path: pathOf(endpoint, { id: target.id }), body: undefined }]
    if (!namesUser(route)) return []
    const bodies =
      name === 'manageUser' ? api.MANAGE_ACTIONS.map((action) => ({ id: target.id, action })) : [edit(route, target)]
    return bodies.map((body) => ({
      name: `${name} ${'action' in body ? String(body.action) : ''}`,
      method,
      path: endpoint.path,
      body,
    }))
  })
}

function namesUser({ body }: Route): boolean {
  return Object.hasOwn(body?.properties ?? {}, 'id')
}

function edit({ body }: Route, { id, username }: Account): object {
  const named = { id, username, password: '', role: undefined, quota: 1, quota_seen: 0, group: 'svip' }
  return sampleOf(body!, named) as object
}
