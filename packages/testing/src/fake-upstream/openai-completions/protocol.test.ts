import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts'
import { post } from '../../../test/upstream-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.close())

it('completes a text with the same usage with and without streaming', async () => {
  const request = { model: 'davinci-002', prompt: 'the tide' }

  const whole = await post(upstream, '/v1/completions', request)
  const streamed = await post(upstream, '/v1/completions', {
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  })

  expect(whole.json).toMatchObject({
    object: 'text_completion',
    choices: [{ text: 'You said: the tide', finish_reason: 'stop' }],
  })
  const chunks = streamed.events.slice(0, -1).map(({ data }) => data)
  expect(streamed.events.at(-1)?.data).toBe('[DONE]')
  expect(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe('You said: the tide')
  expect(chunks.at(-1).usage).toEqual(whole.json.usage)
})

it('rejects a request without a prompt', async () => {
  const response = await post(upstream, '/v1/completions', { model: 'davinci-002' })

  expect(response).toMatchObject({ status: 400, json: { error: { param: 'prompt' } } })
})
