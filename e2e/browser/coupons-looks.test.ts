import type { api } from '@tidegate/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeCoupons } from './coupon-list.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'

/** Each width once in either colour, and the form once for each width. */
const LOOKS = [
  { width: 390, colorScheme: 'light', locale: 'zh-CN', query: '' },
  { width: 390, colorScheme: 'dark', locale: 'en-US', query: '?drawer=create' },
  { width: 768, colorScheme: 'dark', locale: 'zh-CN', query: '' },
  { width: 768, colorScheme: 'light', locale: 'en-US', query: '?drawer=create' },
  { width: 1440, colorScheme: 'light', locale: 'en-US', query: '' },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN', query: '?drawer=create' },
] as const

const console = startConsole()
beforeAll(furnish)

describe.each(LOOKS)('at $width px, $colorScheme, $locale $query', ({ width, query, ...preferences }) => {
  it('has no fault', async () => {
    const page = await console.admin({ viewport: { width, height: 900 }, ...preferences })

    const found = await faultsOf(page, `/admin/coupons${query}`)

    expect(found).toEqual(NONE)
  })
})

/** Every state, a name as long as it can be, and something in every column. */
async function furnish(): Promise<void> {
  const { db } = console.site
  const make = (fields: Partial<api.NewRedemptions>) => makeCoupons(console.site, fields)
  await make({ name: 'A name of 20 letters', quota: 1_234_567_890, valid_from: 1_700_000_000, valid_until: 4e9 })
  await make({ name: '已禁用' })
  await make({ name: '已使用' })
  await make({ name: '礼品', is_gift: true, max_uses: 1_000_000 })
  await make({ name: '兑完', is_gift: true, max_uses: 5 })
  await make({ name: '未生效', valid_from: 4e9 })
  await make({ name: '已过期', valid_until: 1_700_000_000 })
  await make({ name: 'Own', key: 'W'.repeat(32) })
  await sql`update redemption set status = 2 where name = '已禁用'`.execute(db)
  await sql`
    update redemption set status = 3, used_count = 1, used_user_id = 1, redeemed_at = now() where name = '已使用'
  `.execute(db)
  await sql`update redemption set status = 3, used_count = 5 where name = '兑完'`.execute(db)
}
