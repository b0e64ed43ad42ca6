import { api, pathParameters } from '@tidegate/contract'
import { sql } from 'kysely'
import { sendRequest } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import type { AttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { digestOwnedRows, changedTables } from '@tidegate/e2e/scenarios/attacks/support/database-digest.ts'
import { brief, Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { type Account, sessionOf } from '@tidegate/e2e/scenarios/attacks/support/accounts.ts'
import { pathOf, type Route, ROUTES, sampleOf } from '@tidegate/e2e/scenarios/attacks/support/routes.ts'

/** Part of everything the owner has, so that it is recognized in any response. */
const MARK = 'mark-of-the-owner'

/**
 * Another user, an administrator and the super admin call every endpoint for own objects with the IDs of another user
 * in path, query and body. None may see the mark, and nothing of the owner may change.
 */
export async function accessForeignObjects(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  const owner = site.user
  for (const account of [owner, site.peer, site.other, site.admin, site.root]) await account.refresh()
  const ids = await addOwnedObjects(site, owner)
  const before = await digestOwnedRows(db, [owner.id])
  for (const route of ROUTES.filter(({ endpoint }) => endpoint.access === 'user')) {
    for (const attacker of [site.other, site.admin, site.root]) {
      for (const id of route.endpoint.method === 'GET' || namesSomething(route) ? ids : ids.slice(0, 1)) {
        await attemptAccess(site, { route, attacker, owner, id, findings })
      }
    }
    const changed = changedTables(before, await digestOwnedRows(db, [owner.id]))
    findings.check(changed.length === 0, () => `${route.name} by others changed the owner's ${changed.join(', ')}`)
  }
  return findings
}

interface AccessAttempt {
  route: Route
  attacker: Account
  owner: Account
  id: string | number
  findings: Findings
}

async function attemptAccess(site: AttackSite, { route, attacker, owner, id, findings }: AccessAttempt): Promise<void> {
  const { name, endpoint } = route
  if (pathParameters(endpoint.path).some((parameter) => (parameter === 'id') !== (typeof id === 'number'))) return
  const named = { id, ids: [id], user_id: owner.id, userId: owner.id, username: owner.username, status: 2 }
  const query = new URLSearchParams(Object.entries(named).map(([key, value]) => [key, String(value)]))
  if (endsOwnSession(name)) return
  const response = await sendRequest(site.url, {
    method: endpoint.method,
    path: `${pathOf(endpoint, { id, hash: id })}?${query}`,
    headers: sessionOf(attacker),
    body: endpoint.method === 'GET' ? undefined : withOwnFields(route, named),
  })
  findings.check(!response.text.includes(MARK), () => `${name} by ${attacker.username}: ${brief(response.text)}`)
  findings.check(response.status !== 500, () => `${name} by ${attacker.username} failed: ${brief(response.text)}`)
}

function withOwnFields({ body }: Route, named: Record<string, unknown>): object {
  const sample = body === undefined ? {} : sampleOf(body, named)
  return { ...(sample as object), id: named.id, user_id: named.user_id }
}

function namesSomething({ endpoint, body, query }: Route): boolean {
  const fields = { ...(body?.properties as object | undefined), ...query }
  return pathParameters(endpoint.path).length > 0 || Object.keys(fields).some((field) => /(^|_)ids?$/.test(field))
}

/** These end the caller's own account or sessions. `role-matrix.ts` covers them. */
function endsOwnSession(name: string): boolean {
  return ['deleteSelf', 'endAllSessions'].includes(name)
}

/** Creates one of every object that belongs to a user, with the mark. Returns their IDs. */
async function addOwnedObjects(site: AttackSite, owner: Account): Promise<(string | number)[]> {
  const { db } = site.database
  await owner.client.call(api.createToken, { body: { name: MARK, unlimited_quota: true } })
  await site.peer.client.call(api.createMessage, {
    body: { title: MARK, content: MARK, format: 'markdown', user_ids: [owner.id] },
  })
  await sql`insert into passkey (user_id, credential_id, public_key, counter, transports, backed_up, name)
    values (${owner.id}, ${MARK}, '', 0, '[]', false, ${MARK})`.execute(db)
  await sql`insert into delivery (user_id, kind, type, title, target, error, payload)
    values (${owner.id}, 'email', 'test', ${MARK}, 'a@b.example', 'mail_failed', '{"content":"","values":[]}')`.execute(
    db,
  )
  await owner.client.call(api.createAutomationToken, { body: { name: MARK, scopes: ['account:read'] } })
  const { rows } = await sql<{ id: number }>`
    select id from automation_token where user_id = ${owner.id} union
    select id from token where user_id = ${owner.id} union select message_id from message_recipient where user_id = ${owner.id}
    union select id from passkey where user_id = ${owner.id} union select id from delivery where user_id = ${owner.id}`.execute(
    db,
  )
  const sessions = await owner.client.call(api.listSessions)
  return [...rows.map(({ id }) => id), ...sessions.map(({ id }) => id)]
}
