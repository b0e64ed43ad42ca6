import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { useSession } from '../../../api/session.ts'
import { eventually } from '../../../../test/eventually.ts'
import { fakeServer, succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { answersOf, type MessageStatus } from '../conversation/conversation.ts'
import { savedConversations } from '../conversation/storage.ts'
import {
  currentConversation,
  deleteConversations,
  openPlayground,
  saveNow,
  usePlayground,
} from '../conversation/store.ts'
import { loadPendingCosts } from './answer-cost.ts'
import { editMessage, retryAnswer, sendMessage, stopAnswers, type ChatSettings } from './send-message.ts'

const CHAT = 'POST /pg/chat/completions'
const LOG = 'GET /api/log/self'
const SETTINGS: ChatSettings = { group: 'vip', max_tokens: 0, temperature: 0, system_prompt: '' }
const HEADERS = { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' }
const CHUNK = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi.' } }] })}\n\n`
const page = (items: object[]) => succeeded({ items, total: items.length, page: 1, page_size: 1, capped: false })

const current = () => currentConversation(usePlayground.getState())
const answer = () => answersOf(current())[0]!

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
  onTestFinished(loadPendingCosts())
})

describe('sendMessage', () => {
  it('streams an answer and loads its cost', async () => {
    const row = { quota: 42, prompt_tokens: 7, completion_tokens: 3 }
    const { seen } = fakeServer({
      [CHAT]: { headers: HEADERS, text: `${CHUNK}data: [DONE]\n\n` },
      [LOG]: page([row]),
    })
    const states = watchStates()

    sendMessage('hello', [], SETTINGS)

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

  it('keeps the text and the error of a stream that fails', async () => {
    const broken = `${CHUNK}data: {"error":{"message":"no more","code":"upstream_failed"}}\n\ndata: [DONE]\n\n`
    fakeServer({ [CHAT]: { headers: HEADERS, text: broken }, [LOG]: page([]) })

    sendMessage('hello', [], SETTINGS)

    await eventually(() => expect(answer().status).toBe('error'))
    expect(answer()).toMatchObject({ content: 'Hi.', failure: { code: 'upstream_failed', message: 'no more' } })
  })

  it.each([
    ['complete', ''],
    ['error', 'data: {"error":{"message":"no more","code":"upstream_failed"}}\n\n'],
  ])('ignores events after an answer is %s', async (status, ending) => {
    const text = `${CHUNK}${ending}data: [DONE]\n\n${CHUNK}data: [DONE]\n\n`
    fakeServer({ [CHAT]: { headers: HEADERS, text }, [LOG]: page([]) })

    sendMessage('hello', [], SETTINGS)

    await eventually(() => expect(answer().status).toBe(status))
    expect(answer().content).toBe('Hi.')
  })

  it('completes an answer that is stopped', async () => {
    const { seen } = fakeServer({ [CHAT]: () => new Promise(() => {}) })
    sendMessage('hello', [], SETTINGS)
    await eventually(() => expect(seen).toHaveLength(1))

    stopAnswers(current())

    await eventually(() => expect(answer()).toMatchObject({ status: 'complete', stopped: true, failure: null }))
  })
})

describe('the cost of an answer', () => {
  const logRequests = (seen: readonly { path: string }[]) => seen.filter(({ path }) => path === '/api/log/self').length

  /** Sends a message and waits until the log is polled, without finding the row. */
  async function pollForCost() {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const answers = [{ headers: HEADERS, text: `${CHUNK}data: [DONE]\n\n` }]
    const { seen } = fakeServer({ [CHAT]: () => answers.shift() ?? new Promise(() => {}), [LOG]: page([]) })
    sendMessage('hello', [], SETTINGS)
    await vi.waitFor(() => expect(answer().status).toBe('complete'))
    await vi.advanceTimersByTimeAsync(300)
    expect(logRequests(seen)).toBe(1)
    return { polls: () => logRequests(seen) }
  }

  it.each([
    ['the conversation is deleted', () => deleteConversations([current().id])],
    ['the answer is requested again', () => retryAnswer(current().turns[0]!.id, current().columns[0]!.id, SETTINGS)],
    ['the message is edited', () => editMessage(current().turns[0]!.id, 'bye', SETTINGS)],
    ['the user logs out', () => useSession.setState({ user: null })],
  ])('is no longer polled when %s', async (_, leave) => {
    const { polls } = await pollForCost()

    leave()
    await vi.advanceTimersByTimeAsync(20_000)

    expect(polls()).toBe(1)
  })

  it('is polled again when the page is opened again', async () => {
    const leavePage = loadPendingCosts()
    const { polls } = await pollForCost()

    leavePage()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(polls()).toBe(1)
    onTestFinished(loadPendingCosts())
    await vi.advanceTimersByTimeAsync(300)

    expect(polls()).toBe(2)
  })
})

describe('a change of user', () => {
  it('removes the conversations from the page and keeps them stored for their owner', async () => {
    fakeServer({ [CHAT]: { headers: HEADERS, text: `${CHUNK}data: [DONE]\n\n` }, [LOG]: page([]) })
    sendMessage('a secret', [], SETTINGS)
    await eventually(() => expect(answer().status).toBe('complete'))
    saveNow()

    useSession.setState({ user: aUser({ id: owner + 500 }) })
    openPlayground(owner + 500)

    expect(usePlayground.getState().conversations.flatMap(({ turns }) => turns)).toEqual([])
    expect(savedConversations(owner).get()![0]!.turns[0]!.question.content).toBe('a secret')
    expect(savedConversations(owner + 500).get()).toBeNull()
  })
})
