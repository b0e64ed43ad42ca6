import { describe, expect, it } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { nextStep, sendTestRequest } from './send-request.ts'

const CONNECTION = { address: 'https://gate.example', key: 'sk-abc', model: 'm-1' }
const CALL = 'POST /v1/chat/completions'
const NEVER = new AbortController().signal
const send = (signal = NEVER) => sendTestRequest(CONNECTION, 'hello', signal)

describe('sendTestRequest', () => {
  it('sends a chat completion and measures it', async () => {
    const { seen } = fakeServer({
      [CALL]: {
        headers: { 'x-request-id': 'r-1' },
        json: {
          choices: [{ message: { content: 'Hi.' } }],
          usage: { prompt_tokens: 1234, completion_tokens: 5 },
        },
      },
    })

    const trial = await send()

    expect(trial).toMatchObject({
      outcome: 'success',
      text: 'Hi.',
      requestId: 'r-1',
      inputTokens: 1234,
      outputTokens: 5,
    })
    expect(trial).toHaveProperty('milliseconds', expect.any(Number))
    expect(seen[0]!.headers.get('authorization')).toBe('Bearer sk-abc')
    expect(seen[0]!.body).toEqual({
      model: 'm-1',
      messages: [{ role: 'user', content: 'hello' }],
      max_tokens: 256,
    })
  })

  it('returns blank text if the model returned none', async () => {
    fakeServer({ [CALL]: { json: { choices: [{ message: { content: null } }] } } })

    expect(await send()).toMatchObject({ outcome: 'success', text: '', inputTokens: null, requestId: '' })
  })

  it('returns the error message without the request ID', async () => {
    fakeServer({
      [CALL]: {
        status: 403,
        headers: { 'x-request-id': 'r-2' },
        json: { error: { message: '用户额度不足 (request id: r-2)', code: 'insufficient_user_quota' } },
      },
    })

    expect(await send()).toEqual({
      outcome: 'failure',
      status: 403,
      code: 'insufficient_user_quota',
      message: '用户额度不足',
      requestId: 'r-2',
    })
  })

  it('treats the page of a proxy as a failure', async () => {
    fakeServer({ [CALL]: { status: 502, text: '<html>Bad gateway</html>' } })
    expect(await send()).toMatchObject({ outcome: 'failure', status: 502, code: '', message: 'HTTP 502' })

    fakeServer({ [CALL]: { text: '<html>Welcome</html>' } })
    expect(await send()).toMatchObject({ outcome: 'failure', status: 200, message: 'HTTP 200' })
  })

  it('distinguishes an unreachable address from an aborted request', async () => {
    fakeServer({ [CALL]: 'no-answer' })
    expect(await send()).toEqual({ outcome: 'unreachable' })

    fakeServer({ [CALL]: () => new Promise(() => {}) })
    const controller = new AbortController()
    const call = send(controller.signal)
    controller.abort()
    await expect(call).rejects.toThrow()
  })
})

describe('nextStep', () => {
  it.each([
    [401, 'api_key_disabled', 'token'],
    [429, 'api_key_budget_spent', 'token'],
    [403, 'insufficient_user_quota', 'balance'],
    [403, 'model_not_allowed', 'model'],
    [503, 'no_channel', 'model'],
    [429, 'model_rate_limited', 'wait'],
    [400, 'sensitive_words_detected', 'prompt'],
    [502, 'upstream_failed', 'later'],
    [400, 'toString', 'operator'],
    [404, '', 'operator'],
  ] as const)('%i %s leads to %s', (status, code, step) => {
    expect(nextStep({ status, code })).toBe(step)
  })
})
