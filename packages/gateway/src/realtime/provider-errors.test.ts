import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../../test/support/gateway.ts'
import { startRealtimeProvider, type RealtimeProvider } from '../../test/support/realtime-provider.ts'

const MODEL = 'gpt-realtime'

let provider: RealtimeProvider
let gateway: TestGateway
/** Rows of failed requests. */
const recorded: { other: object }[] = []
beforeEach(async () => {
  recorded.length = 0
  provider = await startRealtimeProvider()
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: provider.url, models: [MODEL] })],
    recordError: (row) => void recorded.push(row),
  })
})
afterEach(async () => {
  provider.close()
  await gateway.close()
})

async function session() {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, ['realtime'], {
    headers: { authorization: `Bearer ${KEY}` },
  })
  const events: { type: string }[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as { type: string }))
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await once(socket, 'open')
  const has = (type: string) => expect.poll(() => events.filter((event) => event.type === type).length)
  return { socket, events, closed, has, send: (event: object) => socket.send(JSON.stringify(event)) }
}

describe('a realtime session', () => {
  it.each([
    ['an error event', (error: object) => ({ type: 'error', event_id: 'event_1', error })],
    [
      'a failed response',
      (error: object) => ({ type: 'response.done', response: { status: 'failed', status_details: { error } } }),
    ],
    [
      'a failed transcription',
      (error: object) => ({ type: 'conversation.item.input_audio_transcription.failed', error }),
    ],
  ])("does not reveal the operator's account in %s, and reports the channel", async (_, eventWith) => {
    const error = {
      type: 'invalid_request_error',
      code: 'insufficient_quota',
      message: 'You exceeded your quota, org-4711 of accounts@operator.example, key provider-key',
    }
    const { send, events, socket } = await session()
    send({ type: 'repeat', event: eventWith(error) })
    const { type } = eventWith(error)
    await expect.poll(() => events.some((event) => event.type === type)).toBe(true)
    socket.close()

    const shown = JSON.stringify(events)
    expect(shown).toContain('upstream_account_error')
    expect(shown).not.toMatch(/org-4711|operator\.example|provider-key|insufficient_quota/)
    await expect.poll(() => recorded.at(-1)?.other).toMatchObject({ error_code: 'upstream_account_error' })
  })

  it('shows errors about what the client sent, and does not report the channel for them', async () => {
    const reported = recorded.length
    const { send, events, has, socket } = await session()
    const error = { type: 'invalid_request_error', code: 'invalid_value', message: 'Unknown voice.', event_id: 'mine' }
    send({ type: 'repeat', event: { type: 'error', event_id: 'event_1', error } })
    await has('error').toBe(1)
    socket.close()

    expect(events.at(-1)).toEqual({ type: 'error', event_id: 'event_1', error })
    expect(recorded).toHaveLength(reported)
  })

  it('does not reveal the account when the provider closes the session because of it', async () => {
    const { send, closed } = await session()
    send({ type: 'hang-up', reason: 'invalid_request_error.insufficient_quota: org-4711' })

    const [code, reason] = await closed
    expect([code, reason.toString()]).toEqual([4001, 'upstream_account_error'])
  })
})
