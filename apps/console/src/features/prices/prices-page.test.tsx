import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../test/fake-server.ts'
import { inDialog, openDetails, openPrices, press, publish, publishLarge, rowOf, writePrice } from './test-prices.tsx'

describe('the table of models', () => {
  it('shows offered models in dollars, and the prices by group of an expanded row', async () => {
    openPrices()

    const tokens = within(await rowOf('gpt-4o'))
    tokens.getByText('$2.500')
    tokens.getByText('$7.500')
    within(await rowOf('dall-e-3')).getByText('$0.04')
    within(await rowOf('gizmo')).getByText('冲突')
    within(await rowOf('carded')).getByText('$10.000')
    screen.getByRole('button', { name: /^已启用 ?5$/ })
    fireEvent.click(tokens.getByRole('button', { name: /展开/ }))

    await screen.findByText('各分组价格')
    screen.getByText('$2.25 / $6.75')
  })

  it('keeps the output price in dollars when the input price changes', async () => {
    const { saved, stored } = openPrices()
    await rowOf('gpt-4o')

    writePrice(/^gpt-4o 的输入/, '5')
    const row = within(await rowOf('gpt-4o'))
    row.getByText('$2.500', { selector: 'del' })
    row.getByText('$7.500')
    await publishLarge()

    await screen.findByText('保存成功')
    expect(saved()).toHaveLength(1)
    const { options } = saved()[0]!.body as { options: { key: string; etag: string }[] }
    expect(options.map(({ key }) => key)).toEqual(['ModelRatio', 'CompletionRatio', 'CacheRatio'])
    expect(options.every(({ etag }) => etag !== '')).toBe(true)
    expect(stored('ModelRatio')).toEqual({ 'gpt-4o': 2.5, gizmo: 15, reef: 2 })
    expect(stored('CompletionRatio')).toEqual({ 'gpt-4o': 1.5 })
    expect(stored('CacheRatio')).toEqual({ 'gpt-4o': 0.25 })
    await waitFor(() => expect(screen.queryByRole('region', { name: '未发布的修改' })).toBeNull())
  })

  it('publishes a small change without a confirmation', async () => {
    const { stored } = openPrices()
    await rowOf('gpt-4o')

    writePrice(/^gpt-4o 的输出/, '8')
    publish()

    await screen.findByText('保存成功')
    expect(stored('CompletionRatio')).toEqual({ 'gpt-4o': 3.2 })
  })

  it('moves right with Tab and down with Enter, and restores with Escape', async () => {
    openPrices()
    await rowOf('gpt-4o')

    writePrice(/^gpt-4o 的输入/, '2.6', 'Tab')
    const output = await screen.findByRole('textbox', { name: /^gpt-4o 的输出/ })
    fireEvent.change(output, { target: { value: '9' } })
    fireEvent.keyDown(output, { key: 'Enter' })
    const below = await screen.findByRole('textbox', { name: /^reef 的输出/ })
    fireEvent.change(below, { target: { value: '99' } })
    fireEvent.keyDown(below, { key: 'Escape' })

    within(await rowOf('reef')).getByText('$8.000')
    screen.getByText('1 项修改')
  })

  it('calculates with the list price, and rejects invalid prices', async () => {
    openPrices()
    await rowOf('gpt-4o')

    writePrice(/^gpt-4o 的输入/, '=list*1.2')
    within(await rowOf('gpt-4o')).getByText('$4.800')
    const below = await screen.findByRole('textbox', { name: /^reef 的输入/ })
    fireEvent.change(below, { target: { value: 'dear' } })
    fireEvent.keyDown(below, { key: 'Enter' })
    await screen.findByText('请输入数字')
  })

  it('moves nothing while a price with more decimals is typed', async () => {
    openPrices()
    const widths = () => [...document.querySelectorAll('colgroup col')].map((column) => column.getAttribute('style'))
    const others = async () =>
      within(await rowOf('reef'))
        .getAllByText(/^\$/)
        .map(({ outerHTML }) => outerHTML)
    const [widthsBefore, othersBefore] = [(await rowOf('reef'), widths()), await others()]
    expect(screen.getByRole('table', { name: '模型价格' }).style.tableLayout).toBe('fixed')

    writePrice(/^gpt-4o 的输入/, '2.123456', 'Escape')
    writePrice(/^gpt-4o 的输入/, '2.123456', 'Tab')

    within(await rowOf('gpt-4o')).getByText('$2.123456')
    expect(await others()).toEqual(othersBefore)
    expect(widths()).toEqual(widthsBefore)
  })

  it('marks the prices that follow the input price', async () => {
    openPrices()
    const prices = within(await rowOf('gpt-4o'))

    expect(prices.getByText('$7.500').closest('[data-derived]')).toBeNull()
    expect(prices.getByText('$3.125').closest('[data-derived]')).not.toBeNull()
    screen.getByText('带虚线的价格按输入价格推算。')
  })

  it('asks for the input price first', async () => {
    openPrices({ enabled: ['zebra'] })
    await rowOf('zebra')

    writePrice(/^zebra 的输出/, '3')

    await screen.findByText('请先填写输入价格')
  })

  it('removes the price of a model and can undo it', async () => {
    openPrices()
    await rowOf('reef')

    press('reef 的操作')
    fireEvent.click(await screen.findByText('删除价格'))
    within(await rowOf('reef')).getByText('将删除')
    press('撤销对 reef 的修改')

    await waitFor(() => expect(screen.queryByText('将删除')).toBeNull())
  })
})

describe('unpriced models', () => {
  it('come first and take the list price with one click', async () => {
    const { stored } = openPrices({ enabled: ['gpt-4o', 'zebra'] })
    within(await rowOf('zebra')).getByTitle('未定价 · 官方价：输入 $1.000，输出 $4.000')
    screen.getByText('1 个未定价')
    screen.getByText(/调用未定价的模型会被拒绝/)

    press('对 zebra 使用官方价格')
    publish()

    await screen.findByText('保存成功')
    expect(stored('ModelRatio')).toHaveProperty('zebra', 0.5)
    expect(stored('CompletionRatio')).toHaveProperty('zebra', 4)
  })

  it('show an error when the price list cannot be loaded', async () => {
    openPrices({
      enabled: ['zebra'],
      routes: { 'GET /api/option/price_preset': refused('internal_error', '', 500) },
    })
    await rowOf('zebra')

    press('zebra 的操作')
    fireEvent.click(await screen.findByText('使用官方价格'))

    await screen.findByText('填入官网倍率失败，请稍后重试')
  })

  it('are the only rows if the filter is active, and open the price dialog', async () => {
    openPrices({ enabled: ['gpt-4o', 'unlisted'], search: '?show=unpriced' })
    await rowOf('unlisted')
    expect(screen.queryByText('gpt-4o', { selector: '.mono' })).toBeNull()

    press('设置价格：unlisted')

    await screen.findByText(/unlisted/, { selector: '.ant-modal-title' })
  })
})

describe('publishing', () => {
  it('reports prices that another administrator changed, and publishes after a reload', async () => {
    const { saved, change } = openPrices()
    await rowOf('reef')
    writePrice(/^reef 的输出/, '9')
    change('ModelRatio', '{"gpt-4o":1.25,"reef":3}')

    publish()
    await screen.findByText(/打开此页面后，以下价格已被修改：reef/)
    expect(saved()).toHaveLength(0)
    press('重新加载')
    await waitFor(() => expect(screen.queryByText(/以下价格已被修改/)).toBeNull())
  })

  it('keeps the draft when the server rejects it', async () => {
    openPrices({ routes: { 'PUT /api/option/batch': refused('option_invalid', 'CompletionRatio 的倍率太大') } })
    await rowOf('gpt-4o')

    writePrice(/^gpt-4o 的输出/, '8')
    publish()

    await screen.findByText('保存失败，请重试')
    await screen.findByText('CompletionRatio 的倍率太大')
    screen.getByText('1 项修改')
  })

  it('reviews the changes, and discards them after a confirmation', async () => {
    openPrices()
    await rowOf('gpt-4o')
    writePrice(/^gpt-4o 的输出/, '8')

    press('查看修改')
    const dialog = await inDialog()
    dialog.getByText('$7.50')
    dialog.getByText('+6.7%')
    fireEvent.click(dialog.getAllByRole('button', { name: /^关\s*闭$/ })[0]!)
    press(/^放\s*弃$/)
    fireEvent.click(await screen.findByRole('button', { name: '放弃修改' }))

    await waitFor(() => expect(screen.queryByText('1 项修改')).toBeNull())
  })
})

describe('the dialog of a price', () => {
  it('adds a model by its prices per million tokens', async () => {
    const { stored } = openPrices()
    await rowOf('reef')

    press(/添加模型/)
    const dialog = await inDialog()
    fireEvent.change(dialog.getByLabelText('模型名称'), { target: { value: 'gpt-4o' } })
    await dialog.findByText('模型名称已存在')
    fireEvent.change(dialog.getByLabelText('模型名称'), { target: { value: 'zebra' } })
    fireEvent.change(dialog.getByLabelText('输入价格'), { target: { value: '0' } })
    fireEvent.change(dialog.getByLabelText('输出价格'), { target: { value: '3.5' } })
    await dialog.findByText('模型价格不能为0')
    fireEvent.change(dialog.getByLabelText('输入价格'), { target: { value: '0.6' } })
    await dialog.findByText('相当于：模型倍率 0.3，补全倍率 5.83333333333')
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))

    within(await rowOf('zebra')).getByText('新增')
    publish()
    await screen.findByText('保存成功')
    expect(stored('ModelRatio')).toHaveProperty('zebra', 0.3)
    expect(stored('CompletionRatio')).toHaveProperty('zebra', 5.83333333333)
  })

  it('resolves a conflict by the chosen billing type', async () => {
    const { stored } = openPrices()

    const dialog = await openDetails('gizmo')
    dialog.getByText(/同时有固定价格和倍率/)
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))
    await screen.findByText('1 项修改')
    publish()

    await screen.findByText('保存成功')
    expect(stored('ModelPrice')).toHaveProperty('gizmo', 0.1)
    expect(stored('ModelRatio')).not.toHaveProperty('gizmo')
  })

  it('sets a number for several models, and requires a selection', async () => {
    openPrices()
    await rowOf('reef')

    press('批量设置')
    await screen.findByText('请先选择需要批量设置的模型')
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 reef' }))
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 gpt-4o' }))
    press('批量设置（2）')
    const dialog = await inDialog()
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))
    await dialog.findByText('请填写数值')
    fireEvent.change(dialog.getByLabelText('输入价格'), { target: { value: '10' } })
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))

    await screen.findByText('2 项修改')
  })
})

describe('groups', () => {
  it('change their ratio, description and access in one publication', async () => {
    const { stored } = openPrices({ search: '?tab=groups' })
    await screen.findByText('vip', { selector: '.mono' })

    fireEvent.click(screen.getByRole('button', { name: /^vip 的倍率/ }))
    const field = screen.getByRole('textbox', { name: /^vip 的倍率/ })
    fireEvent.change(field, { target: { value: '0.8' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText('1 项修改')
    fireEvent.click(screen.getByRole('switch', { name: '用户可选择 vip' }))
    fireEvent.click(await screen.findByRole('button', { name: 'vip 的描述: vip' }))
    const description = screen.getByRole('textbox', { name: 'vip 的描述' })
    fireEvent.change(description, { target: { value: '九折' } })
    fireEvent.blur(description)
    publish()

    await screen.findByText('保存成功')
    expect(stored('GroupRatio')).toEqual({ default: 1, vip: 0.8 })
    expect(stored('UserUsableGroups')).toEqual({ default: 'Everyone', vip: '九折' })
  })

  it('show their users, channels and models, and can be added and removed', async () => {
    const { stored } = openPrices({ search: '?tab=groups' })
    const users = await screen.findByRole('link', { name: '4,999' })
    expect(users.getAttribute('href')).toBe('/admin/users?group=default')
    expect((await rowOf('vip')).textContent).toContain('725')
    press('添加分组')
    const dialog = await inDialog()
    const name = dialog.getByRole('textbox', { name: '新分组名称' })
    fireEvent.change(name, { target: { value: 'vip' } })
    await dialog.findByText('分组已存在')
    fireEvent.change(name, { target: { value: 'trial' } })
    fireEvent.click(dialog.getByRole('button', { name: '添加分组' }))
    await screen.findByText('trial', { selector: '.mono' })
    press('删除分组 vip')
    publish()

    await screen.findByText('保存成功')
    expect(stored('GroupRatio')).toEqual({ default: 1, trial: 1 })
  })
})

describe('tabs', () => {
  it('hide groups and history from administrators who may only set prices', async () => {
    openPrices({ role: 10, areas: ['prices'] })
    await rowOf('reef')

    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['模型', '试算'])
  })

  it.each([
    ['json', '以 JSON 编辑'],
    ['fallback', '兜底价格'],
  ])('show the forms of the panel %s', async (panel, title) => {
    openPrices({ search: `?panel=${panel}` })

    const dialog = await inDialog()
    dialog.getByText(title)
    dialog.getByText(`the forms of ${panel}`)
  })

  it('show the simulation of the draft', async () => {
    const { seen } = openPrices()
    await rowOf('gpt-4o')
    writePrice(/^gpt-4o 的输出/, '8')
    fireEvent.click(screen.getByRole('tab', { name: '试算' }))

    await screen.findAllByText('近 7 天没有调用')
    await waitFor(() =>
      expect(seen.find(({ path }) => path === '/api/option/simulate_prices')?.body).toEqual({
        changes: [{ key: 'CompletionRatio', value: '{"gpt-4o":3.2}' }],
      }),
    )
  })
})

describe('restoring the built-in ratios', () => {
  const reset = async () => {
    await rowOf('reef')
    press(/高级/)
    fireEvent.click(await screen.findByText('恢复默认倍率'))
  }

  it('asks for confirmation with the number of lost ratios', async () => {
    const { seen } = openPrices({ routes: { 'POST /api/option/rest_model_ratio': succeeded() } })
    await reset()
    await screen.findByText(/你自己设置的 2 个模型倍率会丢失/)
    press(/^恢\s*复$/)

    await screen.findByText('重置模型倍率成功')
    expect(seen.some(({ path }) => path === '/api/option/rest_model_ratio')).toBe(true)
  })

  it('shows an error', async () => {
    openPrices({ routes: { 'POST /api/option/rest_model_ratio': refused('internal_error', '', 500) } })
    await reset()
    fireEvent.click(await screen.findByRole('button', { name: /^恢\s*复$/ }))

    await screen.findByText('重置预设倍率失败，请重试')
  })
})
