import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { useSession } from '../../../api/session.ts'
import { eventually } from '../../../../test/eventually.ts'
import { fakeServer, succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { answersOf } from '../conversation/conversation.ts'
import { savedConversations } from '../conversation/saved.ts'
import { currentConversation, openPlayground, saveNow, usePlayground } from '../conversation/store.ts'
import type { MessageStatus } from '../conversation/types.ts'
import { ask, stopAnswers, type AskSettings } from './ask.ts'

const CHAT = 'POST /pg/chat/completions'
const BILLS = 'GET /api/log/self'
const SETTINGS: AskSettings = { group: 'vip', max_tokens: 0, temperature: 0, system_prompt: '' }
const HEADERS = { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' }
const SAID = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi.' } }] })}\n\n`
const page = (items: object[]) => succeeded({ items, total: items.length, page: 1, page_size: 1, capped: false })

const current = () => currentConversation(usePlayground.getState())
const answer = () => answersOf(current())[0]!

/** The states of the first answer, in order. */
function watchStates(): MessageStatus[] {
  const states: MessageStatus[] = []
  const stop = usePlayground.subscribe(() => {
    const [first] = answersOf(current())
    if (first && first.status !== states.at(-1)) states.push(first.status)
  })
  onTestFinished(stop)
  return states
}

let owner = 100
beforeEach(() => {
  owner += 1
  useSession.setState({ user: aUser({ id: owner }) })
  openPlayground(owner)
})

describe('an answer', () => {
  it('goes from loading over incomplete to complete, and has its cost a moment later', async () => {
    const bill = { quota: 42, prompt_tokens: 7, completion_tokens: 3 }
    const { seen } = fakeServer({
      [CHAT]: { headers: HEADERS, text: `${SAID}data: [DONE]\n\n` },
      [BILLS]: page([bill]),
    })
    const states = watchStates()

    ask('hello', [], SETTINGS)

    await eventually(() => expect(answer().quota).toBe(42))
    expect(states).toEqual(['loading', 'incomplete', 'complete'])
    expect(answer()).toMatchObject({ content: 'Hi.', requestId: 'r-1', inputTokens: 7, outputTokens: 3, failure: null })
    expect(seen[0]!.body).toEqual({
      model: 'gpt-4o-mini',
      group: 'vip',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 0,
    })
  })

  it('ends in an error with the words of the stream, after what was said', async () => {
    const broken = `${SAID}data: {"error":{"message":"no more","code":"upstream_failed"}}\n\ndata: [DONE]\n\n`
    fakeServer({ [CHAT]: { headers: HEADERS, text: broken }, [BILLS]: page([]) })

    ask('hello', [], SETTINGS)

    await eventually(() => expect(answer().status).toBe('error'))
    expect(answer()).toMatchObject({ content: 'Hi.', failure: { code: 'upstream_failed', message: 'no more' } })
  })

  it.each([
    ['complete', ''],
    ['error', 'data: {"error":{"message":"no more","code":"upstream_failed"}}\n\n'],
  ])('stays as it is once it is %s, although the stream goes on', async (status, ending) => {
    const text = `${SAID}${ending}data: [DONE]\n\n${SAID}data: [DONE]\n\n`
    fakeServer({ [CHAT]: { headers: HEADERS, text }, [BILLS]: page([]) })

    ask('hello', [], SETTINGS)

    await eventually(() => expect(answer().status).toBe(status))
    expect(answer().content).toBe('Hi.')
  })

  it('is complete when it is stopped, with what was said until then', async () => {
    const { seen } = fakeServer({ [CHAT]: () => new Promise(() => {}) })
    ask('hello', [], SETTINGS)
    await eventually(() => expect(seen).toHaveLength(1))

    stopAnswers(current())

    await eventually(() => expect(answer()).toMatchObject({ status: 'complete', stopped: true, failure: null }))
  })
})

describe('what a person said', () => {
  it('is kept for them, and gone from the page when somebody else logs in', async () => {
    fakeServer({ [CHAT]: { headers: HEADERS, text: `${SAID}data: [DONE]\n\n` }, [BILLS]: page([]) })
    ask('a secret', [], SETTINGS)
    await eventually(() => expect(answer().status).toBe('complete'))
    saveNow()

    useSession.setState({ user: aUser({ id: owner + 500 }) })
    openPlayground(owner + 500)

    expect(usePlayground.getState().conversations.flatMap(({ turns }) => turns)).toEqual([])
    expect(savedConversations(owner).get()![0]!.turns[0]!.question.content).toBe('a secret')
    expect(savedConversations(owner + 500).get()).toBeNull()
  })
})
