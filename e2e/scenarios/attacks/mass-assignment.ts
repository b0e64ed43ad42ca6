import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import { sendRequest, newAddress } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { digestOwnedRows, changedTables } from './support/database-digest.ts'
import { brief, Findings } from './support/findings.ts'
import { PASSWORD, sessionOf } from './support/accounts.ts'
import { pathOf, ROUTES, sampleOf } from './support/routes.ts'

/** Account columns that the owner must not set, by their names and by likely aliases. */
const PROTECTED_VALUES = {
  role: 100,
  is_admin: true,
  isAdmin: true,
  quota: 777_777_777_777,
  remain_quota: 777_777_777_777,
  used_quota: -777_777_777_777,
  request_count: -1,
  status: 1,
  group: 'svip',
  aff_quota: 777_777_777_777,
  aff_history_quota: 777_777_777_777,
  aff_count: 777,
  inviter_id: 1,
  inviterId: 1,
  created_at: 1,
  deleted_at: null,
  email: 'root@harbour.example',
  email_verified: true,
  password_hash: 'mine',
  access_token: 'mine',
  user_id: 1,
  userId: 1,
  user: { id: 1, role: 100 },
  __proto__: { role: 100 },
  constructor: { prototype: { role: 100 } },
}

interface ProtectedFields {
  role: number
  status: number
  group: string
  quota: number
  aff_quota: number
  aff_history_quota: number
  aff_count: number
  inviter_id: number | null
  email: string
  request_count: number
  used_quota: number
}

/** A user sends every protected field to every endpoint that writes. */
export async function assignProtectedFields(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  const { other: attacker, peer, admin, user } = site
  await attacker.refresh()
  const otherAccounts = [peer.id, admin.id, user.id]
  const [protectedFields, others] = [
    await protectedFieldsOf(site, attacker.id),
    await digestOwnedRows(db, otherAccounts),
  ]
  // Skip deregistration: the account would be gone.
  const writes = ROUTES.filter(
    ({ endpoint }) => endpoint.method !== 'GET' && endpoint.access === 'user' && endpoint !== api.deleteSelf,
  )
  for (const { name, endpoint, body } of writes) {
    const settings =
      name === 'createToken' || name === 'updateToken' ? { ...PROTECTED_VALUES, group: 'default' } : PROTECTED_VALUES
    const sample = body === undefined ? {} : (sampleOf(body, { password: '', original_password: '' }) as object)
    const response = await sendRequest(site.url, {
      method: endpoint.method,
      path: pathOf(endpoint),
      headers: sessionOf(attacker),
      body: `${JSON.stringify({ ...sample, ...settings }).slice(0, -1)},"__proto__":{"role":100,"quota":1e12}}`,
    })
    findings.check(response.status !== 500, () => `${name} failed: ${brief(response.text)}`)
    await attacker.refresh()
    const now = await protectedFieldsOf(site, attacker.id)
    findings.check(
      same(now, protectedFields),
      () => `${name} made ${JSON.stringify(protectedFields)} into ${JSON.stringify(now)}`,
    )
    const changed = changedTables(others, await digestOwnedRows(db, otherAccounts))
    findings.check(changed.length === 0, () => `${name} changed ${changed.join(', ')} of others`)
  }
  await checkTokens(site, findings)
  await registerAsSuperAdmin(site, findings)
  await createSuperAdmin(site, findings)
  return findings
}

/** A token belongs to its creator, and its used quota cannot be negative. */
async function checkTokens({ url, database, other }: AttackSite, findings: Findings): Promise<void> {
  const body = { ...PROTECTED_VALUES, group: 'default', name: 'harbour', unlimited_quota: true }
  await sendRequest(url, { method: 'POST', path: api.createToken.path, headers: sessionOf(other), body })
  const { rows } = await sql<{ user_id: number; used_quota: number }>`
    select user_id, used_quota from token where name = 'harbour'`.execute(database.db)
  findings.check(rows.length > 0, () => 'no token was made, so nothing was seen')
  for (const row of rows) {
    findings.check(row.user_id === other.id && row.used_quota === 0, () => `a token became ${JSON.stringify(row)}`)
  }
}

async function registerAsSuperAdmin(site: AttackSite, findings: Findings): Promise<void> {
  const username = 'newcomer'
  const body = { ...PROTECTED_VALUES, username, password: PASSWORD, aff_code: '' }
  await sendRequest(site.url, { method: 'POST', path: api.register.path, body, from: newAddress() })
  const { rows } = await sql<{ id: number }>`
    select id from "user" where username = ${username}`.execute(site.database.db)
  const made = rows[0] && (await protectedFieldsOf(site, rows[0].id))
  const expected = {
    role: 1,
    status: 1,
    group: 'default',
    quota: 1_000_000_000,
    inviter_id: null,
    email: '',
    aff_quota: 0,
  }
  const fits =
    made !== undefined && Object.entries(expected).every(([key, value]) => made[key as keyof ProtectedFields] === value)
  findings.check(fits, () => `registered as ${JSON.stringify(made)}`)
}

/** An administrator can create only ordinary users with default values. */
async function createSuperAdmin(site: AttackSite, findings: Findings): Promise<void> {
  const create = (username: string, settings: object) =>
    sendRequest(site.url, {
      method: 'POST',
      path: api.createUser.path,
      headers: sessionOf(site.admin),
      body: { ...settings, username, password: PASSWORD },
    })
  const rejected = await create('made-root', PROTECTED_VALUES)
  findings.check(rejected.code === 'rank_create', () => `an admin made a super admin: ${rejected.text}`)
  const { role: _, ...rest } = PROTECTED_VALUES
  await create('made-user', rest)
  const { rows } = await sql<{ id: number }>`
    select id from "user" where username = 'made-user'`.execute(site.database.db)
  const made = await protectedFieldsOf(site, rows[0]!.id)
  findings.check(
    made.role === 1 && made.group === 'default' && made.quota === 1_000_000_000 && made.aff_quota === 0,
    () => `an admin made ${JSON.stringify(made)}`,
  )
}

async function protectedFieldsOf({ database }: AttackSite, id: number): Promise<ProtectedFields> {
  const { rows } = await sql<ProtectedFields>`
    select role, status, "group", aff_quota, aff_history_quota, aff_count, inviter_id, email, request_count, used_quota,
      quota + coalesce((select sum(amount) from credit_lease where user_id = u.id and token_id = 0), 0)::bigint as quota
    from "user" u where id = ${id}`.execute(database.db)
  return rows[0]!
}

function same(one: ProtectedFields, other: ProtectedFields): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
