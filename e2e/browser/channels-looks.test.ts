import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedChannel } from './channel-list.ts'
import { type Faults, faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'

const LONG_MODEL = 'an-unusually-long-vendor/model-name-with-a-date-2026-02-30-preview'
const LONG_NAME = 'A channel whose name was written by somebody who had a lot to say about it'
const LONG_TAG = 'a-tag-that-is-as-long-as-tags-can-be-and-has-no-blank-to-break'

/** Cards, up to 820 px, and a table, each with either colour and either language; every rule once for each. */
const LOOKS = [
  { width: 360, colorScheme: 'light', locale: 'zh-CN', depth: {} },
  { width: 360, colorScheme: 'dark', locale: 'en-US', depth: { rules: 'contrast', tablet: true } },
  { width: 1440, colorScheme: 'light', locale: 'en-US', depth: {} },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN', depth: { rules: 'contrast' } },
] as const
/** A drawer has the same colours beside a table as over cards, where they were looked at. */
const LOOKS_OF_DRAWERS = LOOKS.slice(0, 3)

const console = startConsole()
let upstream: FakeUpstream
let id: number
beforeAll(async () => {
  upstream = await fakeUpstream()
  await furnish()
  id = (await storedChannel(console.site, LONG_NAME))!.id
})
afterAll(() => upstream?.close())

type Look = (typeof LOOKS)[number]

async function expectNoFaults(
  { width, depth, ...preferences }: Look,
  places: Record<string, (page: Page) => Promise<void>>,
): Promise<void> {
  const page = await console.admin({ viewport: { width, height: 900 }, ...preferences })
  const found: Record<string, Faults> = {}
  // Nothing found looks alike in every colour.
  const looked = Object.entries(places).filter(([query]) => !('rules' in depth) || !/nothing|999999/.test(query))
  for (const [query, open] of looked) found[query] = await faultsOf(page, `/admin/channels${query}`, open, depth)

  expect(found).toEqual(Object.fromEntries(looked.map(([query]) => [query, NONE])))
}

describe.each(LOOKS)('at $width px, $colorScheme, $locale', (look) => {
  it('the list has no fault, plain, grouped or being ticked', async () => {
    await expectNoFaults(look, {
      '?size=20': async () => {},
      '?keyword=nothing-like-this': async () => {},
      '?tag_mode=true': async (page) => {
        await page
          .getByRole('button', { name: /展开|Expand|Show channels/ })
          .first()
          .click()
      },
      '?size=50': async (page) => {
        await page.getByRole('button', { name: /^(批量选择|Select)$/ }).click()
        await page.getByRole('checkbox', { name: /harbour/ }).check()
        await page.getByRole('button', { name: /^(设置标签|Set tag)$/ }).click()
        await page.getByRole('dialog').waitFor()
      },
      '?size=10': async (page) => {
        await page.getByRole('button', { name: /harbour 的密钥|Keys of harbour/ }).click()
        await page
          .getByRole('button', { name: /密钥 sk-|key sk-/ })
          .first()
          .waitFor()
      },
    })
  })
})

describe.each(LOOKS_OF_DRAWERS)('at $width px, $colorScheme, $locale', (look) => {
  it('the editors have no fault', async () => {
    await expectNoFaults(look, {
      '?drawer=create': async (page) => {
        await page.getByRole('button', { name: /高级设置|Advanced/ }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(添加|Add)$/ })
          .click()
        await page.locator('.ant-form-item-explain-error').first().waitFor()
      },
      [`?drawer=edit&id=${id}`]: async (page) => {
        await page.getByRole('button', { name: /更换密钥|Replace keys/ }).click()
      },
      [`?drawer=edit&id=${id}&page=1`]: async (page) => {
        await page.getByRole('button', { name: /选择模型…|Choose models…/ }).click()
        await page.getByRole('checkbox').first().waitFor()
      },
      [`?drawer=tag&tag=${LONG_TAG}`]: async () => {},
      '?drawer=edit&id=999999': async () => {},
    })
  })

  it('the tests and the virtual models have no fault', async () => {
    await expectNoFaults(look, {
      [`?drawer=test&id=${id}`]: async (page) => {
        await page.getByRole('button', { name: new RegExp(`(测试模型|Test model) ${LONG_MODEL}$`) }).click()
        await page
          .getByText(/^(通过|Passed|失败|Failed)$/)
          .first()
          .waitFor()
      },
      '?drawer=virtual-models': async (page) => {
        await page.getByRole('button', { name: /编辑 fast|Edit fast/ }).click()
        await page.getByRole('button', { name: /添加实际模型|Add actual model/ }).waitFor()
      },
    })
  })
})

/** Long names, many models, several keys, every status, and something in every column. */
async function furnish(): Promise<void> {
  const { client, db } = console.site
  const many = Array.from({ length: 30 }, (_, number) => `${LONG_MODEL}-${number}`)
  await addChannel(client, upstream, {
    name: 'harbour',
    key: 'sk-first-aaaaaaaa1111\nsk-second-bbbbbbb2222',
    priority: 9,
  })
  await addChannel(client, upstream, {
    name: LONG_NAME,
    models: [LONG_MODEL, ...many].join(','),
    group: 'default,vip,svip',
    tag: LONG_TAG,
    setting: '{"proxy":"socks5://user:password@a-proxy-with-a-long-name.example:1080"}',
    base_url: upstream.url,
  })
  for (const name of ['disabled', 'by-itself', '备用线路']) await addChannel(client, upstream, { name, tag: '主线' })
  await sql`update channel set status = 2 where name = 'disabled'`.execute(db)
  await sql`
    update channel set status = 3, response_time_ms = 6100, balance = -3.25, balance_updated_at = now(),
      other_info = '{"status_reason": "Your credit balance is too low", "status_time": 1760000000}'
    where name = 'by-itself'
  `.execute(db)
  await client.call(api.updateModelMapping, {
    body: {
      mapping: {
        fast: [
          { model: LONG_MODEL, priorities: 5 },
          { model: 'gpt-4o', priorities: 5 },
        ],
      },
    },
  })
}
