import * as fc from 'fast-check'
import { pathParameters } from '@tidegate/contract'
import { sql } from 'kysely'
import type { AttackSite } from '../support/attack-site.ts'
import { Findings } from '../support/findings.ts'
import { type Account, sessionOf } from '../support/accounts.ts'
import { UNKNOWN_ID, ROUTES, type Route } from '../support/routes.ts'
import { hostileBody } from './hostile-body.ts'
import { hostileText } from './hostile-values.ts'
import { checkAlive, checkResponse, type HostileRequest } from './check-response.ts'

/** Puts hostile values into every field of every endpoint, sent by a caller with access. */
export async function fuzzApi(site: AttackSite, { cases, seed }: { cases: number; seed: number }): Promise<Findings> {
  const findings = new Findings()
  const restore = await saveAccounts(site)
  for (const route of ROUTES) {
    const caller = route.endpoint.access === 'user' ? site.user : site.root
    await caller.refresh().catch(() => restore().then(() => caller.refresh()))
    for (const request of fc.sample(hostileRequests(route), { numRuns: cases, seed })) {
      const response = await checkResponse(
        findings,
        site.url,
        { ...request, headers: headersFor(route, caller) },
        route.name,
      )
      if (response?.status === 401) await caller.refresh().catch(() => restore().then(() => caller.refresh()))
    }
  }
  await checkAlive(site, findings)
  return findings
}

function headersFor({ endpoint: { access } }: Route, caller: Account): Record<string, string> {
  return access === 'public' ? {} : sessionOf(caller)
}

function hostileRequests({ endpoint, query, body }: Route): fc.Arbitrary<HostileRequest> {
  const names = pathParameters(endpoint.path)
  const path = fc
    .tuple(...names.map((name) => hostileParameter(name)))
    .map((values) =>
      names.reduce<string>((text, name, index) => text.replace(`{${name}}`, encode(values[index]!)), endpoint.path),
    )
  const parameters = fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(query), 'p', '__proto__'), hostileText), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'))
    // The header parser rejects a query of a megabyte; other tests cover it.
    .map((text) => text.slice(0, 8_000))
  const bodies = body === undefined ? fc.constantFrom(undefined, '{}', '[]', 'null') : hostileBody(body)
  return fc.record({ path, parameters, body: bodies }).map(({ path, parameters, body }) => ({
    method: endpoint.method,
    path: parameters === '' ? path : `${path}?${parameters}`,
    body: endpoint.method === 'GET' ? undefined : body,
  }))
}

function hostileParameter(name: string): fc.Arbitrary<string> {
  const real =
    name === 'id' ? ['1', '2', String(UNKNOWN_ID), '99999999999999999999', '0', '2147483648'] : ['a1', 'f'.repeat(500)]
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...real) },
    { weight: 1, arbitrary: hostileText.map((text) => text.slice(0, 200)) },
  )
}

/** Text that is not valid Unicode cannot be URL-encoded: send bytes that do not decode. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

/** The attack may rename or demote its own account. This restores the accounts. */
async function saveAccounts({ database, root, user }: AttackSite): Promise<() => Promise<void>> {
  const rows = await sql<{ id: number; username: string; password_hash: string; role: number }>`
    select id, username, password_hash, role from "user" where id in (${root.id}, ${user.id})`.execute(database.db)
  return async () => {
    for (const { id, username, password_hash, role } of rows.rows) {
      await sql`update "user" set username = ${username}, password_hash = ${password_hash}, role = ${role}, status = 1,
        deleted_at = null where id = ${id}`.execute(database.db)
      await sql`delete from totp where user_id = ${id}`.execute(database.db)
    }
    await sql`update option set value = 'true' where key = 'PasswordLoginEnabled'`.execute(database.db)
  }
}
