import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import { usePlayground } from './conversation/store.ts'
import PlaygroundPage from './playground-page.tsx'

const aModel = (model_name: string) => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  owner_by: '',
  completion_ratio: 1,
  enable_groups: ['default'],
  priced_group: 'default',
  abilities: [],
})

let users = 100
function open(models: string[], { at = '/playground', state }: { at?: string; state?: unknown } = {}) {
  rememberUser(aUser({ id: (users += 1) }))
  const server = fakeServer({
    'GET /api/user/self/groups': succeeded({ default: { desc: '默认', ratio: 1 }, gold: { desc: '黄金', ratio: 6 } }),
    'GET /api/pricing': {
      json: { success: true, message: '', data: models.map(aModel), group_ratio: {}, usable_group: {} },
    },
    'POST /pg/chat/completions': { text: 'data: [DONE]\n\n' },
  })
  const { address } = renderScreen(PlaygroundPage, { at, state })
  const requests = () => server.seen.filter(({ path }) => path === '/pg/chat/completions').map(({ body }) => body)
  return { requests, address }
}
beforeEach(() => localStorage.clear())

it('suggests a greeting and sends it only on a click', async () => {
  const { requests } = open(['model-a'])
  const greeting = await screen.findByRole('button', { name: '你好' })
  expect(screen.getByRole('heading', { name: '你好，有什么可以帮你？' })).toBeTruthy()
  expect(requests()).toEqual([])

  fireEvent.click(greeting)

  await waitFor(() => expect(requests()).toMatchObject([{ model: 'model-a', group: 'default', stream: true }]))
})

it('fills in an example prompt without sending it', async () => {
  const { requests } = open(['model-a'])

  fireEvent.click(await screen.findByRole('button', { name: '用两句话解释潮汐' }))

  const field = screen.getByRole('textbox', { name: '输入消息' })
  expect(field).toHaveProperty('value', '用两句话解释潮汐')
  expect(document.activeElement).toBe(field)
  expect(requests()).toEqual([])
})

it('has no limit of tokens by default', async () => {
  open(['model-a'])

  const field = await screen.findByRole('spinbutton', { name: '最大 token 数' })
  expect(field).toHaveProperty('value', '')
  expect(field).toHaveProperty('placeholder', '不限制')
  expect(usePlayground.getState().settings.max_tokens).toBe(0)
})

it('shows that no models are available', async () => {
  open([])

  expect(await screen.findByRole('heading', { name: '该分组下没有可用的模型' })).toBeTruthy()
  expect(document.body.textContent).not.toContain('gpt-4o-mini')
})

it('selects the lowest temperature with the first arrow key', async () => {
  open(['model-a'])
  const handle = await screen.findByRole('slider')
  expect(handle.closest('[data-unset]')?.textContent).toContain('模型默认')

  fireEvent.keyDown(handle, { key: 'ArrowRight' })
  expect(handle.closest('[data-unset]')).toBeNull()
  expect(usePlayground.getState().settings.temperature).toBe(0.1)
  fireEvent.keyDown(handle, { key: 'ArrowRight', which: 39, keyCode: 39 })
  expect(usePlayground.getState().settings.temperature).toBe(0.2)
})

it('colours the ratio of each group by its size', async () => {
  open(['model-a'])
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '分组' }))

  await waitFor(() => expect(screen.getByText('6 倍率').closest('[data-tone]')?.getAttribute('data-tone')).toBe('bad'))
  expect(screen.getByText('1 倍率').closest('[data-tone]')?.getAttribute('data-tone')).toBe('good')
})

it('opens a conversation with the model and the prompt of a link', async () => {
  const { requests, address } = open(['model-a', 'model-b'], {
    at: '/playground?model=model-b&expired=true',
    state: { prompt: 'Say hi' },
  })

  await waitFor(() => expect(address()).toBe('/playground?expired=true'))
  const field = await screen.findByRole('textbox', { name: '输入消息' })
  expect(field).toHaveProperty('value', 'Say hi')
  fireEvent.keyDown(field, { key: 'Enter' })

  await waitFor(() => expect(requests()).toMatchObject([{ model: 'model-b' }]))
  expect(field).toHaveProperty('value', '')
})

it('sends the prompt of a link if the link requests it', async () => {
  const { requests } = open(['model-a', 'model-b'], {
    at: '/playground?model=model-b',
    state: { prompt: 'Say hi', send: true },
  })

  await waitFor(() => expect(requests()).toMatchObject([{ model: 'model-b' }]))
  const field = await screen.findByRole('textbox', { name: '输入消息' })
  expect(field).toHaveProperty('value', '')
})

it('keeps its model and shows a note if the model of a link is not offered', async () => {
  const { address } = open(['model-a'], { at: '/playground?model=model-x' })

  expect(await screen.findByText('分组 default 中没有模型 model-x')).toBeTruthy()
  expect(address()).toBe('/playground')
  expect(usePlayground.getState().conversations[0]!.columns).toMatchObject([{ model: 'model-a' }])
})
