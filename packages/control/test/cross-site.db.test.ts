import { sql } from 'kysely'
import { api, changesState, ENDPOINTS, type Endpoint } from '@tidegate/contract'
import { TABLE_NAMES } from '@tidegate/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from './start-site.ts'

let site: TestSite
let cookie: string
let victim: number
let root: Awaited<ReturnType<TestSite['signedIn']>>
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  victim = (await site.signedIn('user')).userId!
  const login = await site.app.inject({
    method: 'POST',
    url: '/api/user/login',
    payload: { username: root.username, password: PASSWORD },
  })
  cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
})
afterAll(() => site.close())

/** Fields of all our forms. */
const forgedFields = () => ({
  id: victim,
  action: 'disable',
  username: 'forged',
  password: 'rising-water-9',
  key: 'SystemName',
  value: 'Forged',
  name: 'forged',
  quota_warning_threshold: 1,
  display_name: 'Forged',
})

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']

/** Requests that another site can make a browser send, with the cookie if it was not withheld. */
function crossSite(endpoint: Endpoint) {
  const url = endpoint.path.replace('{id}', String(victim)).replace('{hash}', 'a1')
  const query = new URLSearchParams(
    Object.entries(forgedFields()).map(([name, value]) => [name, String(value)]),
  ).toString()
  const browsers = [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]
  return browsers.flatMap((marks) => {
    const headers = { cookie, ...marks }
    return [
      { method: 'GET' as const, url: `${url}?${query}`, headers },
      { method: 'POST' as const, url, headers },
      ...FORM_TYPES.flatMap((type) =>
        [query, JSON.stringify(forgedFields())].map((payload) => ({
          method: 'POST' as const,
          url,
          payload,
          headers: { ...headers, 'content-type': type },
        })),
      ),
    ]
  })
}

describe('a page of another site', () => {
  const changing = ENDPOINTS.filter(({ endpoint }) => changesState(endpoint))

  it('changes nothing by links, images or forms', async () => {
    const before = await contents()
    // Table digests are slow: one per group of requests.
    for (let from = 0; from < changing.length; from += 12) {
      const group = changing.slice(from, from + 12)
      for (const { endpoint } of group) for (const request of crossSite(endpoint)) await site.app.inject(request)

      expect(await contents(), group.map(({ name }) => name).join()).toEqual(before)
    }
  })

  it('would change something with the header of our own pages', async () => {
    const headers = { cookie, 'tidegate-user': String(root.userId) }
    for (const endpoint of [api.createUser, api.manageUser, api.updateOption, api.renewAccessToken, api.createToken]) {
      const before = await contents()
      const payload = endpoint.method === 'GET' ? undefined : forgedFields()

      await site.app.inject({ method: endpoint.method, url: endpoint.path, payload, headers })

      expect(await contents(), endpoint.path).not.toEqual(before)
    }
  })
})

/** A digest of every table, without the last use of sessions. */
async function contents(): Promise<Record<string, string>> {
  const digests = TABLE_NAMES.map((table) => {
    const row = table === 'session' ? sql`t.id_hash || t.user_id::text` : sql`t::text`
    return sql`select ${table} as name, md5(coalesce(string_agg(${row}, '|' order by ${row}), '')) as digest
               from ${sql.table(table)} t`
  })
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(digests, sql` union all `)}`.execute(site.db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
