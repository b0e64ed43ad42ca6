import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer, succeeded, type SeenRequest } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aChannel } from '../../../../test/sample-channel.ts'
import { ChannelDrawers } from '../channel-drawers.tsx'

type Outcome = 'ok' | 'no key' | 'never'

/** Serves a channel whose models have the given test outcomes. */
function open(outcomes: Record<string, Outcome>) {
  let models = Object.keys(outcomes)
  const respond = ({ query }: SeenRequest) => {
    const model = query.model!
    const outcome = outcomes[model]!
    if (outcome === 'never') return new Promise<never>(() => {})
    const isFine = outcome === 'ok'
    return { json: { success: isFine, message: isFine ? '' : 'invalid api key', time: 1.25, model } }
  }
  const server = fakeServer({
    'GET /api/channel/7': () => succeeded({ ...aChannel({ id: 7, models: models.join(',') }), key: '••••' }),
    'GET /api/channel/test/7': respond,
    'PUT /api/channel': ({ body }) => {
      models = (body as { models: string }).models.split(',')
      return succeeded({})
    },
  })
  renderScreen(ChannelDrawers, { at: '/admin/channels?drawer=test&id=7' })
  return { seen: server.seen }
}

const row = async (model: string) => (await screen.findByText(model)).closest('li')!

describe('testing the models of a channel', () => {
  it('opens with the focus on the search', async () => {
    open({ 'gpt-4o': 'ok' })

    const search = await screen.findByRole('textbox', { name: '搜索模型' })
    await waitFor(() => expect(document.activeElement).toBe(search))
  })

  it('tests one model and shows the duration', async () => {
    const { seen } = open({ 'gpt-4o': 'ok', o3: 'ok' })

    fireEvent.click(await screen.findByRole('button', { name: '测试模型 o3' }))

    await waitFor(async () => expect((await row('o3')).textContent).toContain('1.25 s'))
    expect((await row('gpt-4o')).textContent).toContain('未测试')
    expect(seen.filter(({ path }) => path.includes('/test/')).map(({ query }) => query)).toEqual([{ model: 'o3' }])
  })

  it('tests the models that match the search, with streaming if enabled', async () => {
    const { seen } = open({ 'gpt-4o': 'ok', 'gpt-4o-mini': 'ok', o3: 'ok' })
    fireEvent.change(await screen.findByLabelText('搜索模型'), { target: { value: 'gpt' } })
    fireEvent.click(screen.getByRole('switch', { name: '流式' }))

    fireEvent.click(screen.getByRole('button', { name: '测试筛选出的 2 个' }))

    expect(await screen.findByText('2 个模型测试完成')).toBeTruthy()
    expect(seen.filter(({ path }) => path.includes('/test/')).map(({ query }) => query)).toEqual([
      { model: 'gpt-4o', stream: 'true' },
      { model: 'gpt-4o-mini', stream: 'true' },
    ])
  })

  it('shows why a model failed, and deletes failed models after a confirmation', async () => {
    const { seen } = open({ good: 'ok', bad: 'no key' })
    fireEvent.click(await screen.findByRole('button', { name: '测试全部 2 个' }))
    await waitFor(async () => expect((await row('bad')).textContent).toContain('invalid api key'))

    fireEvent.click(screen.getByRole('button', { name: '删除失败的 1 个' }))
    expect(await screen.findByText('渠道将不再提供：bad')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '删除' }))

    await waitFor(() => expect(screen.queryByText('bad')).toBeNull())
    expect(seen.find(({ method }) => method === 'PUT')!.body).toEqual({ id: 7, models: 'good' })
  })

  it('never deletes all models', async () => {
    const { seen } = open({ bad: 'no key', worse: 'no key' })
    fireEvent.click(await screen.findByRole('button', { name: '测试全部 2 个' }))

    fireEvent.click(await screen.findByRole('button', { name: '删除失败的 2 个' }))

    expect(await screen.findByText('不能删除所有模型，请至少保留一个')).toBeTruthy()
    expect(seen.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('shows a message after a cancellation, and the model stays untested', async () => {
    open({ slow: 'never', slower: 'never' })
    fireEvent.click(await screen.findByRole('button', { name: '测试全部 2 个' }))
    const progress = await screen.findByRole('region', { name: '正在测试' })
    expect(progress.textContent).toContain('0 / 2')

    fireEvent.click(within(progress).getByRole('button', { name: '取消' }))

    const notice = await screen.findByText('测试已取消')
    expect(notice.closest('.ant-message-info')).toBeTruthy()
    expect((await row('slow')).textContent).toContain('未测试')
  })

  it('shows stored results', async () => {
    localStorage.setItem(
      'channel-test-results',
      JSON.stringify({ 7: { o3: { ok: false, message: 'busy', seconds: 2, retryable: true, at: Date.now() } } }),
    )
    open({ o3: 'ok' })

    expect((await row('o3')).textContent).toContain('busy')
    expect(screen.getByRole('button', { name: '重试失败的 1 个' })).toBeTruthy()
  })
})
