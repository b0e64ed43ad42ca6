import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from './fake-upstream.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream({ models: ['one', 'two'], key: 'right' })
})
afterEach(() => upstream.close())

it.each<[string, string, Record<string, string>, object]>([
  ['OpenAI', '/v1/models', { authorization: 'Bearer right' }, { object: 'list', data: [{ id: 'one' }, { id: 'two' }] }],
  [
    'Anthropic',
    '/v1/models',
    { 'x-api-key': 'right', 'anthropic-version': '2023-06-01' },
    { data: [{ type: 'model', id: 'one' }, { id: 'two' }], has_more: false },
  ],
  [
    'Gemini',
    '/v1beta/models',
    { 'x-goog-api-key': 'right' },
    { models: [{ name: 'models/one' }, { name: 'models/two' }] },
  ],
])('lists models in the format of %s', async (_, path, headers, expected) => {
  const listed = await fetch(upstream.url + path, { headers })
  const rejected = await fetch(upstream.url + path)

  expect(await listed.json()).toMatchObject(expected)
  expect(rejected.status).toBe(401)
})
