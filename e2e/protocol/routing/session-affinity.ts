import { api } from '@tidegate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sendChat, type ChatOptions } from './send-chat.ts'
import { requestCounts, site, type FakeProvider } from './site.ts'

const TURNS = 40

/** Four equal channels with two keys each. */
let providers: FakeProvider[]

/** How clients mark requests as one session. */
const SESSION_MARKERS: readonly [string, (name: string) => Omit<ChatOptions, 'model'>][] = [
  ['a session header', (name) => ({ headers: { session_id: name } })],
  ['prompt_cache_key', (name) => ({ protocol: 'responses', body: { prompt_cache_key: name } })],
  ['metadata.user_id', (name) => ({ protocol: 'messages', body: { metadata: { user_id: name } } })],
]

/** The turns of a conversation go to the channel that has the earlier turns in its cache. */
export function sessionAffinityTests(): void {
  beforeAll(async () => {
    await site.setOptions({ RetryTimes: 0, 'global.auto_retry_enabled': false })
    const models = 'm-talk,m-alone,m-moving'
    providers = await site.addProviders(
      { models, key: 'one-a,one-b' },
      { models, key: 'two-a,two-b' },
      { models, key: 'three-a,three-b' },
      { models, key: 'four-a,four-b' },
    )
  })
  beforeEach(() => providers.forEach((provider) => provider.reset()))

  it.each(SESSION_MARKERS)(
    'stays with its channel and key in 95 of 100 turns, identified by %s',
    async (_name, marker) => {
      const talk = async (name: string) => {
        for (let turn = 0; turn < TURNS; turn += 1) {
          await sendChat(site, { model: 'm-talk', text: `turn ${turn} of ${name}`, ...marker(name) })
        }
      }

      await Promise.all([talk('the first conversation'), talk('the second conversation')])

      for (const name of ['the first conversation', 'the second conversation']) {
        const keys = keysUsed((body) => body.includes(`of ${name}`))
        expect(keys).toHaveLength(TURNS)
        expect(largestShare(keys)).toBeGreaterThanOrEqual(0.95)
      }
    },
  )

  it('is required: without one, requests go everywhere', async () => {
    for (let turn = 0; turn < 2 * TURNS; turn += 1) await sendChat(site, { model: 'm-alone' })

    expect(requestCounts(...providers).every((times) => times > 0)).toBe(true)
    expect(largestShare(keysUsed(() => true))).toBeLessThan(0.5)
  })

  it('moves with the next turn after its channel failed, and stays there', async () => {
    const turn = () => sendChat(site, { model: 'm-moving', headers: { 'x-session-id': 'moving' } })
    await turn()
    const before = providers.find(({ requests }) => requests.length > 0)!
    before.always({ status: 500 })

    expect(await turn()).toMatchObject({ status: 500 })
    expect(await turn()).toMatchObject({ status: 200 })
    const after = providers.find((provider) => provider !== before && provider.requests.length > 0)!
    for (let more = 0; more < 10; more += 1) expect(await turn()).toMatchObject({ status: 200 })

    expect(requestCounts(before, after)).toEqual([2, 11])
  })

  it('moves within a turn if retries are allowed, and when its channel is disabled', async () => {
    await site.setOptions({ RetryTimes: 1 })
    const turn = () => sendChat(site, { model: 'm-moving', headers: { 'x-session-id': 'moving on' } })
    const place = async () => {
      providers.forEach((provider) => provider.reset())
      expect(await turn()).toMatchObject({ status: 200 })
      return providers.find(({ requests }) => requests.at(-1)?.sent.status === 200)!
    }
    const first = await place()
    providers.forEach((provider) => provider.reset())
    first.next({ status: 500 })

    expect(await turn()).toMatchObject({ status: 200 })
    const second = providers.find((provider) => provider !== first && provider.requests.length > 0)!
    expect(await place()).toBe(second)
    await site.admin.call(api.updateChannel, { body: { id: second.channel.id, status: 2 } })
    const third = await place()
    expect(third).not.toBe(second)
    expect(await place()).toBe(third)
  })
}

function keysUsed(isMeant: (body: string) => boolean): string[] {
  const requests = providers.flatMap((provider) => provider.requests)
  return requests.filter(({ rawBody }) => isMeant(rawBody.toString())).map(({ headers }) => headers.authorization ?? '')
}

function largestShare(keys: readonly string[]): number {
  const counts = [...Map.groupBy(keys, (key) => key).values()].map((same) => same.length)
  return Math.max(...counts) / keys.length
}
