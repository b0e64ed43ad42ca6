import type { PricedModel } from '@tidegate/contract/api'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser, useSession } from '../../api/session.ts'
import { fakeServer } from '../../../test/fake-server.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import ModelPage from './model-page.tsx'
import PricingPage from './pricing-page.tsx'

beforeEach(() => useSession.setState({ user: null, ended: null }))

const aModel = (model_name: string, changes: Partial<PricedModel> = {}): PricedModel => ({
  model_name,
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  owner_by: 'OpenAI',
  completion_ratio: 4,
  enable_groups: ['default', 'vip'],
  priced_group: 'default',
  abilities: ['vision'],
  ...changes,
})

function open(models: PricedModel[], at = '/pricing') {
  servePrices(models)
  return renderScreen(PricingPage, { at })
}

function servePrices(models: PricedModel[]) {
  fakeServer({
    'GET /api/pricing': {
      json: {
        success: true,
        data: models,
        group_ratio: { default: 1, vip: 0.5 },
        usable_group: { default: '默认', vip: '贵宾' },
      },
    },
  })
}

const rowOf = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')!

describe('the price list', () => {
  it('shows prices per token and per request, and the target of a virtual model', async () => {
    open([
      aModel('best', { stands_for: 'gpt-4o', cache_ratio: 0.5, context: 128_000, max_output: 16_384 }),
      aModel('dall-e-3', { quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0 }),
    ])

    const virtual = await rowOf('best')
    for (const text of ['gpt-4o 的别名', 'OpenAI', '$2.500', '$1.250', '$10.000', '128K / 16K'])
      expect(virtual.textContent).toContain(text)
    expect(within(await rowOf('dall-e-3')).getByText('$0.04 / 次')).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: '计费方式' })).toBeTruthy()
  })

  it('shows no token price, but the number of fees, for a model that is charged by fees only', async () => {
    open([aModel('sora-2', { model_ratio: 0, completion_ratio: 1, fees: { image: 0.1 } })])

    const row = await rowOf('sora-2')
    expect(row.textContent).not.toContain('$0.000')
    expect(within(row).getByText(/附加费用 1/)).toBeTruthy()
    expect(within(row).queryByText(/阶梯 0/)).toBeNull()
  })

  it('names abilities, and has a billing column only for mixed billing', async () => {
    open([aModel('gpt-4o', { abilities: ['vision', 'tools', 'reasoning', 'json'] })])

    const row = within(await rowOf('gpt-4o'))
    expect(row.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '图像理解',
      '工具调用',
      '+2推理, 结构化输出',
    ])
    expect(screen.queryByRole('columnheader', { name: '计费方式' })).toBeNull()
  })

  it('has a group column only for models in different groups', async () => {
    open([aModel('gpt-4o', { enable_groups: ['default'] }), aModel('gpt-5', { enable_groups: ['default', 'vip'] })])

    expect(within(await rowOf('gpt-5')).getByText('vip ×0.5')).toBeTruthy()
    cleanup()
    open([aModel('gpt-4o'), aModel('gpt-5')])

    expect(within(await rowOf('gpt-5')).queryByText(/×/)).toBeNull()
  })

  it('shows input and output prices in the first line of a phone row', async () => {
    showOnPhone()
    open([aModel('gpt-4o', { context: 128_000 })])

    const card = within((await screen.findByRole('link', { name: 'gpt-4o' })).closest('article')!)
    expect(card.getByText(/2\.50/)).toBeTruthy()
    expect(card.queryByText('图像理解')).toBeNull()
    fireEvent.click(card.getByRole('button', { name: /详情/ }))
    expect(card.getByText('图像理解')).toBeTruthy()
  })

  it('shows prices in the group of the user', async () => {
    rememberUser(aUser({ group: 'vip' }))
    open([aModel('gpt-4o')])

    expect((await rowOf('gpt-4o')).textContent).toContain('$1.250')
  })

  it('renders one page of thousands of models, and the last page if the URL exceeds it', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => aModel(`model-${index}`))
    open(many, '/pricing?page=999&size=20')

    await rowOf('model-1999')
    expect(screen.getAllByRole('link')).toHaveLength(20)
    expect(screen.getByText('第 1,981–2,000 条，共 2,000 条')).toBeTruthy()
  })

  it('has its filters behind one button on a phone', async () => {
    showOnPhone()
    open([aModel('gpt-4o')], '/pricing?vendor=OpenAI')
    await screen.findByRole('link', { name: 'gpt-4o' })
    expect(screen.queryByRole('combobox', { name: '供应商' })).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: /筛选/ }))

    expect(screen.getByRole('combobox', { name: '供应商' })).toBeTruthy()
  })

  it('names providers in the language of the page', async () => {
    open([aModel('qwen3.8-max', { owner_by: 'Alibaba' }), aModel('gpt-4o', { owner_by: 'OpenAI' })])

    expect((await rowOf('qwen3.8-max')).textContent).toContain('阿里云')
    expect((await rowOf('gpt-4o')).textContent).toContain('OpenAI')
  })

  it('links to the page of a model whose name has a slash', async () => {
    const { address } = open([aModel('vendor/model:free')])

    fireEvent.click(await screen.findByRole('link', { name: 'vendor/model:free' }))

    expect(address()).toBe('/pricing/vendor%2Fmodel%3Afree')
  })
})

describe('the page of a model', () => {
  it('shows that the model does not exist, and links to all models', async () => {
    servePrices([aModel('gpt-4o')])
    const { address } = renderScreen(ModelPage, { at: '/pricing/nothing%2Fhere', path: '/pricing/:model' })
    await screen.findByRole('heading', { level: 1, name: '模型不存在' })
    expect(screen.getByText(/^“nothing\/here”/)).toBeTruthy()

    fireEvent.click(screen.getByRole('button', { name: '查看全部模型' }))

    expect(address()).toBe('/pricing')
  })

  it('shows rates by tier and fees', async () => {
    const detailed = aModel('gpt-6', {
      rates: { input: 2, cacheRead: 0.2, output: 10 },
      tiers: [
        { when: { inputAbove: 272_000 }, rates: { input: 4, output: 15 } },
        { when: { serviceTier: 'priority' }, multiply: 2 },
      ],
      fees: { webSearch: 0.01, imageBySizeQuality: { 'high 1024x1024': 0.04 } },
    })
    servePrices([detailed])
    renderScreen(ModelPage, { at: '/pricing/gpt-6', path: '/pricing/:model' })

    const panel = within((await screen.findByRole('heading', { name: '阶梯与附加费用' })).closest('section')!)
    const cells = (name: string) =>
      [...panel.getByRole('rowheader', { name }).closest('tr')!.querySelectorAll('td')].map((cell) => cell.textContent)
    expect(panel.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(
      expect.arrayContaining(['标准', '输入超过 272,000 token', '优先处理']),
    )
    expect(cells('输入')).toEqual(['$2.000', '$4.000', '$4.000'])
    expect(cells('缓存读取')).toEqual(['$0.200', '$0.200', '$0.400'])
    expect(cells('输出')).toEqual(['$10.000', '$15.000', '$20.000'])
    expect(cells('联网搜索')).toEqual(['$0.01'])
    expect(cells('图片（按质量和尺寸）, high 1024x1024')).toEqual(['$0.04'])
  })

  it('has no rate table for a model with one price', async () => {
    servePrices([aModel('gpt-4o', { rates: { input: 2.5, output: 10 } })])
    renderScreen(ModelPage, { at: '/pricing/gpt-4o', path: '/pricing/:model' })

    await screen.findByRole('heading', { name: 'gpt-4o' })
    expect(screen.queryByRole('heading', { name: '阶梯与附加费用' })).toBeNull()
  })
})
