import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Faults, faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { addUser } from './user-list.ts'

/** Cards, up to 820 px, and a table, each in either colour and language; the editor in both colours and languages. */
const LOOKS = [
  { width: 360, colorScheme: 'light', locale: 'zh-CN', withEditor: true, depth: {} },
  { width: 360, colorScheme: 'dark', locale: 'en-US', withEditor: true, depth: { rules: 'contrast', tablet: true } },
  { width: 1440, colorScheme: 'light', locale: 'en-US', withEditor: true, depth: {} },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN', withEditor: false, depth: { rules: 'contrast' } },
] as const

const console = startConsole()
let id: number
beforeAll(furnish)

describe.each(LOOKS)('at $width px, $colorScheme, $locale', ({ width, withEditor, depth, ...preferences }) => {
  it('users and their audit trail have no fault', async () => {
    const page = await console.admin({ viewport: { width, height: 900 }, ...preferences })
    const places: Record<string, (page: Page) => Promise<void>> = {
      '/admin/users?size=20': async () => {},
      ...(withEditor && { [`/admin/users?drawer=edit&id=${id}`]: enterQuota }),
      '/admin/audit?size=20': unfoldFirst,
    }
    const found: Record<string, Faults> = {}
    for (const [path, open] of Object.entries(places)) found[path] = await faultsOf(page, path, open, depth)

    expect(found).toEqual(Object.fromEntries(Object.keys(places).map((path) => [path, NONE])))
  })
})

async function enterQuota(page: Page): Promise<void> {
  await page.getByRole('button', { name: /增减额度|Add quota/ }).click()
  await page.getByLabel(/变动的额度|Quota to add/).fill('-1')
}

async function unfoldFirst(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /展开|Expand|Show details/ })
    .first()
    .click()
  await page.getByRole('button', { name: /只看这个对象|Only about this subject/ }).waitFor()
}

/** Every status and rank, names as long as they can be, and something in every column. */
async function furnish(): Promise<void> {
  const { client, db } = console.site
  for (const name of ['banned', 'exists', 'gone', '十二个字的很长的用户名啊']) await addUser(console.site, name)
  await addUser(console.site, 'mate', { role: 10 })
  await sql`update "user" set status = 2 where username = 'banned'`.execute(db)
  await sql`update "user" set status = 3 where username = 'exists'`.execute(db)
  await sql`update "user" set deleted_at = now() where username = 'gone'`.execute(db)
  id = await addUser(console.site, 'WWWWWWWWWWWW', { quota: 1_234_567_890 })
  await sql`
    update "user" set display_name = 'A rather long name!!', "group" = 'vip', used_quota = 987654321,
      email = 'somebody.with.a.long.name@a-company-name.example', request_count = 1234567, aff_count = 1234,
      aff_history_quota = 600000000, inviter_id = 1
    where id = ${id}
  `.execute(db)
  const value = JSON.stringify({ default: 1, vip: 1, 'a-group-whose-name-is-as-long-as-group-names-can-well-be': 0.25 })
  await client.call(api.updateOption, { body: { key: 'GroupRatio', value } })
}
