import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../testing/fake-server.ts'
import { press } from '../test-settings.tsx'
import { inDialog, openPrices, rowOf, writeFigure } from './test-prices.tsx'

const save = () => press('保存模型价格')

describe('the visual editor', () => {
  it('shows every model with its way of billing, its figures and what they come to', async () => {
    openPrices()

    const tokens = within(await rowOf('gpt-4o'))
    tokens.getByText('按 token')
    tokens.getByText('$2.50 / 1M')
    tokens.getByText('$7.50 / 1M')
    within(await rowOf('dall-e-3')).getByText('按次')
    within(await rowOf('gizmo')).getByText('冲突')
    expect(screen.queryByRole('button', { name: /^gizmo 的模型倍率/ })).toBeNull()
  })

  it('saves a figure that was changed in its cell, in the option it belongs to', async () => {
    const { saved, stored } = openPrices()
    await rowOf('reef')

    writeFigure(/^reef 的模型倍率/, '0.075')

    within(await rowOf('reef')).getByText('已修改')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('reef 的模型倍率: 0.075')
    screen.getByText('1 个模型未保存')
    save()
    await screen.findByText('保存成功')
    expect(saved()).toHaveLength(1)
    expect(stored('ModelRatio')).toEqual({ 'gpt-4o': 1.25, gizmo: 15, reef: 0.075 })
    await waitFor(() => expect(screen.queryByText('1 个模型未保存')).toBeNull())
  })

  it('warns of a price that another administrator changed, and saves over it after a reload', async () => {
    let ratios = { 'gpt-4o': 1.25, reef: 2 }
    const { saved } = openPrices({
      routes: {
        'GET /api/option': () => {
          const value = JSON.stringify(ratios)
          return succeeded([{ key: 'ModelRatio', value, etag: `"${encodeURIComponent(value)}"` }])
        },
      },
    })
    await rowOf('reef')
    writeFigure(/^reef 的模型倍率/, '0.075')
    ratios = { 'gpt-4o': 1.25, reef: 3 }

    save()
    await screen.findByText(/其他管理员修改了以下模型的价格：reef/)
    expect(saved()).toHaveLength(0)
    press('重新加载')
    await waitFor(() => expect(screen.queryByText(/其他管理员修改了以下模型的价格/)).toBeNull())
    screen.getByText('1 个模型未保存')
    save()

    await waitFor(() => expect(saved()).toHaveLength(1))
    expect(saved()[0]!.headers.get('if-match')).toBe(`"${encodeURIComponent(JSON.stringify(ratios))}"`)
    expect(saved()[0]!.body).toEqual({ key: 'ModelRatio', value: JSON.stringify({ 'gpt-4o': 1.25, reef: 0.075 }) })
  })

  it('takes no figure that is none, and takes one away that is left blank', async () => {
    const { stored } = openPrices()
    await rowOf('gpt-4o')

    writeFigure(/^gpt-4o 的补全倍率/, 'dear')
    await screen.findByText('请输入数字')
    fireEvent.keyDown(screen.getByRole('textbox', { name: /^gpt-4o 的补全倍率/ }), { key: 'Escape' })
    writeFigure(/^gpt-4o 的补全倍率/, '')

    save()
    await screen.findByText('保存成功')
    expect(stored('CompletionRatio')).toEqual({})
  })

  it('says when nothing was changed', async () => {
    const { saved } = openPrices()
    await rowOf('reef')

    save()

    await screen.findByText('没有需要保存的修改')
    expect(saved()).toEqual([])
  })

  it('undoes and deletes by row', async () => {
    const { stored } = openPrices()
    await rowOf('reef')

    press('删除 reef 的价格')
    press('删除 gizmo 的价格')
    press('撤销对 gizmo 的修改')
    save()

    await screen.findByText('保存成功')
    expect(stored('ModelRatio')).toEqual({ 'gpt-4o': 1.25, gizmo: 15 })
    expect(stored('ModelPrice')).toHaveProperty('gizmo')
  })

  it('keeps what was refused, and tells which option and why', async () => {
    openPrices({ routes: { 'PUT /api/option': refused('option_invalid', '这个倍率太大') } })
    await rowOf('reef')

    writeFigure(/^reef 的模型倍率/, '7')
    save()

    await screen.findByText('保存失败，请重试')
    await screen.findByText('模型倍率：这个倍率太大')
    screen.getByText('1 个模型未保存')
  })

  it('shows only conflicts, or only changes', async () => {
    openPrices({ search: '&show=conflict' })

    await rowOf('gizmo')
    expect(screen.queryByText('reef', { selector: '.mono' })).toBeNull()

    fireEvent.click(screen.getByText('已修改 0'))
    await screen.findByText('没有符合条件的模型')
  })
})

describe('the dialog of a price', () => {
  it('adds a model by its prices for a million tokens', async () => {
    const { stored } = openPrices()
    await rowOf('reef')

    press('添加模型')
    const dialog = await inDialog()
    fireEvent.change(dialog.getByLabelText('模型名称'), { target: { value: 'gpt-4o' } })
    await dialog.findByText('模型名称已存在')
    fireEvent.change(dialog.getByLabelText('模型名称'), { target: { value: 'zebra' } })
    fireEvent.click(dialog.getByRole('radio', { name: '每百万 token 价格' }))
    fireEvent.change(dialog.getByLabelText('输入价格'), { target: { value: '0' } })
    fireEvent.change(dialog.getByLabelText('输出价格'), { target: { value: '3.5' } })
    await dialog.findByText('模型价格不能为0')
    fireEvent.change(dialog.getByLabelText('输入价格'), { target: { value: '0.6' } })
    await dialog.findByText('相当于：模型倍率 0.3，补全倍率 5.83333333333')
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))

    within(await rowOf('zebra')).getByText('新增')
    save()
    await screen.findByText('保存成功')
    expect(stored('ModelRatio')).toHaveProperty('zebra', 0.3)
    expect(stored('CompletionRatio')).toHaveProperty('zebra', 5.83333333333)
  })

  it('settles a conflict by the way of billing that is chosen', async () => {
    const { stored } = openPrices()
    await rowOf('gizmo')

    press('编辑 gizmo')
    const dialog = await inDialog()
    dialog.getByText(/同时有固定价格和倍率/)
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))

    await screen.findByText('1 个模型未保存')
    save()
    await screen.findByText('保存成功')
    expect(stored('ModelPrice')).toHaveProperty('gizmo', 0.1)
    expect(stored('ModelRatio')).not.toHaveProperty('gizmo')
  })

  it('sets several at once, of which some must be selected, to a value that must be one', async () => {
    const { stored } = openPrices()
    await rowOf('reef')

    press('批量设置')
    await screen.findByText('请先选择需要批量设置的模型')
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 reef' }))
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 gpt-4o' }))
    press('批量设置（2）')
    const dialog = await inDialog()
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))
    await dialog.findByText('请填写数值')
    fireEvent.change(dialog.getByLabelText('模型倍率'), { target: { value: '5' } })
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))

    await screen.findByText('2 个模型未保存')
    save()
    await screen.findByText('保存成功')
    expect(stored('ModelRatio')).toEqual({ 'gpt-4o': 5, gizmo: 15, reef: 5 })
    expect(stored('CompletionRatio')).toEqual({ 'gpt-4o': 3 })
  })
})

describe('models without a price', () => {
  it('are filled in and gone once that is saved', async () => {
    const { stored } = openPrices({ view: 'unset', enabled: ['gpt-4o', 'zebra', 'gpt-4o-gizmo-a'] })
    await rowOf('gpt-4o-gizmo-*')
    screen.getByText(/调用这些模型会被拒绝/)

    press('设置 zebra 的价格')
    const dialog = await inDialog()
    fireEvent.click(dialog.getByRole('radio', { name: '按次' }))
    fireEvent.change(dialog.getByLabelText('每次调用价格'), { target: { value: '0.2' } })
    fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))

    within(await rowOf('zebra')).getByText('待保存')
    save()
    await screen.findByText('保存成功')
    expect(stored('ModelPrice')).toHaveProperty('zebra', 0.2)
    await waitFor(() => expect(screen.queryByText('zebra', { selector: '.mono' })).toBeNull())
  })

  it('are none when every model on offer is priced', async () => {
    openPrices({ view: 'unset' })

    await screen.findByText('启用的模型都已设置价格')
  })

  it('cannot be listed without the models on offer', async () => {
    openPrices({
      view: 'unset',
      routes: { 'GET /api/channel/models_enabled': refused('internal_error', '', 500) },
    })

    await screen.findByText('获取启用模型失败')
  })
})

describe('going from text to list and back', () => {
  it('asks before what was entered in the list is lost', async () => {
    openPrices()
    await rowOf('reef')
    writeFigure(/^reef 的模型倍率/, '7')

    fireEvent.click(screen.getByRole('tab', { name: '未定价' }))
    await screen.findByText('1 个模型未保存')
    fireEvent.click(screen.getByRole('tab', { name: '模型倍率 JSON' }))
    fireEvent.click(await screen.findByRole('button', { name: '放弃修改' }))

    expect(await screen.findByLabelText('模型倍率')).toHaveProperty('value', expect.stringContaining('"reef": 2'))
  })

  it('asks before a changed text is lost', async () => {
    openPrices({ view: 'json' })
    fireEvent.change(await screen.findByLabelText('模型倍率'), { target: { value: '{"reef":3}' } })

    fireEvent.click(screen.getByRole('tab', { name: '可视化编辑' }))
    fireEvent.click(await screen.findByRole('button', { name: '放弃修改' }))

    within(await rowOf('reef')).getByText('$4.00 / 1M')
    expect(screen.queryByText(/[项型]未保存$/)).toBeNull()
  })
})
