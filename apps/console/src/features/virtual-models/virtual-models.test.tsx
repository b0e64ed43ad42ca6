import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderPart } from '../../../test/render-part.tsx'
import type { Mapping } from './mapping-rules.ts'
import { VirtualModels } from './virtual-models.tsx'

const FAST: Mapping = {
  fast: [
    { model: 'gpt-4o-mini', priorities: 5 },
    { model: 'o3-mini', priorities: 5 },
    { model: 'gpt-4o', priorities: 0 },
  ],
}

function open(start: Mapping = FAST, routes: Parameters<typeof fakeServer>[0] = {}) {
  let mapping = start
  const tag = () => `"${Object.keys(mapping).join()}"`
  const server = fakeServer({
    'GET /api/model_mapping': () => succeeded({ mapping }, { etag: tag() }),
    'PUT /api/model_mapping': ({ body, headers }) => {
      if (headers.get('if-match') !== tag()) return refused('edit_conflict', '请重新加载', 412)
      ;({ mapping } = body as { mapping: Mapping })
      return succeeded()
    },
    'POST /api/model_mapping/reload': succeeded(),
    'GET /api/channel/models_enabled': succeeded(['gpt-4o', 'gpt-4o-mini']),
    ...routes,
  })
  renderPart(<VirtualModels />)
  return {
    saved: () => mapping,
    /** Simulates a change by another administrator. */
    set: (next: Mapping) => {
      mapping = next
    },
    puts: () => server.seen.filter(({ method }) => method === 'PUT'),
  }
}

const dialog = () => screen.findByRole('dialog')
const fill = async (label: string, value: string) =>
  fireEvent.change(within(await dialog()).getByLabelText(label), { target: { value } })
const save = async () => fireEvent.click(within(await dialog()).getByRole('button', { name: '保存' }))

describe('virtual models', () => {
  it('are listed with their targets by descending priority', async () => {
    open()

    const row = await screen.findByRole('row', { name: /fast/ })

    expect(
      within(row)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['gpt-4o-mini优先级 5 · 轮流', 'o3-mini优先级 5 · 轮流', 'gpt-4o优先级 0'])
  })

  it('can be added', async () => {
    const { saved } = open()
    fireEvent.click(await screen.findByRole('button', { name: '添加虚拟模型' }))
    await fill('虚拟模型名', ' best ')
    await fill('第 1 个实际模型', 'gpt-4o')
    await fill('第 1 个实际模型的优先级', '3')

    await save()

    await waitFor(() => expect(saved()).toHaveProperty('best'))
    expect(saved().best).toEqual([{ model: 'gpt-4o', priorities: 3 }])
    expect(saved().fast).toEqual(FAST.fast)
  })

  it.each([
    ['a name', '', 'gpt-4o', '0', '请填写虚拟模型名'],
    ['a unique name', 'fast', 'gpt-4o', '0', "虚拟模型名 'fast' 已存在"],
    ['the name of a target', 'best', ' ', '0', '请填写实际模型名'],
    ['a target that is not virtual', 'best', 'fast', '0', '实际模型不能是另一个虚拟模型'],
    ['a target other than themselves', 'best', 'best', '0', '实际模型不能是另一个虚拟模型'],
    ['a non-negative priority', 'best', 'gpt-4o', '-1', '优先级必须是不小于 0 的整数'],
    ['an integer priority', 'best', 'gpt-4o', '1.5', '优先级必须是不小于 0 的整数'],
  ])('require %s', async (_requirement, name, model, priority, text) => {
    const { puts } = open()
    fireEvent.click(await screen.findByRole('button', { name: '添加虚拟模型' }))
    await fill('虚拟模型名', name)
    await fill('第 1 个实际模型', model)
    await fill('第 1 个实际模型的优先级', priority)

    await save()

    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    expect(puts()).toEqual([])
  })

  it('require at least one target, and unique targets', async () => {
    const { puts } = open()
    fireEvent.click(await screen.findByRole('button', { name: '编辑 fast' }))
    await fill('第 2 个实际模型', 'gpt-4o-mini')
    await save()
    expect((await screen.findAllByText('实际模型名重复')).length).toBeGreaterThan(0)

    for (const number of [3, 2, 1]) {
      fireEvent.click(within(await dialog()).getByRole('button', { name: `移除第 ${number} 个实际模型` }))
    }
    await save()

    expect(await screen.findByText('至少需要一个实际模型')).toBeTruthy()
    expect(puts()).toEqual([])
  })

  it('can be renamed without leaving the old name', async () => {
    const { saved } = open()
    fireEvent.click(await screen.findByRole('button', { name: '编辑 fast' }))
    await fill('虚拟模型名', 'quick')

    await save()

    await waitFor(() => expect(Object.keys(saved())).toEqual(['quick']))
  })

  it('are deleted after a confirmation', async () => {
    const { saved } = open()
    fireEvent.click(await screen.findByRole('button', { name: '删除 fast' }))

    fireEvent.click(within(await dialog()).getByRole('button', { name: '删除' }))

    expect(await screen.findByText('还没有虚拟模型')).toBeTruthy()
    expect(saved()).toEqual({})
  })

  it('keep the dialog open and show the error if the server rejects them', async () => {
    const text = '虚拟模型名不可用：best'
    open(FAST, { 'PUT /api/model_mapping': refused('model_mapping_name_invalid', text, 400) })
    fireEvent.click(await screen.findByRole('button', { name: '添加虚拟模型' }))
    await fill('虚拟模型名', 'best')
    await fill('第 1 个实际模型', 'gpt-4o')

    await save()

    expect(await screen.findByText(text)).toBeTruthy()
    expect(within(await dialog()).getByLabelText<HTMLInputElement>('虚拟模型名').value).toBe('best')
  })

  it('keep a concurrent change, and are saved after a reload', async () => {
    const { saved, set } = open()
    fireEvent.click(await screen.findByRole('button', { name: '编辑 fast' }))
    await fill('虚拟模型名', 'quick')
    const other = { other: [{ model: 'o3', priorities: 0 }] }
    set({ ...FAST, ...other })

    await save()
    fireEvent.click(within(await screen.findByRole('alert')).getByRole('button'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(saved()).toHaveProperty('fast')
    await save()

    await waitFor(() => expect(saved()).toEqual({ ...other, quick: FAST.fast }))
  })

  it('are reloaded on all nodes on request', async () => {
    open()

    fireEvent.click(await screen.findByRole('button', { name: '重新加载' }))

    expect(await screen.findByText('已让所有节点重新加载')).toBeTruthy()
  })
})
