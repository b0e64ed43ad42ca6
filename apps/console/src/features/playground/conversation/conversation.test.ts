import { describe, expect, it } from 'vitest'
import {
  changeAnswer,
  messagesFor,
  newConversation,
  newTurn,
  titleOf,
  type Answer,
  type Conversation,
  type Picture,
  type Turn,
} from './conversation.ts'
import { toJson, toMarkdown } from './export-conversation.ts'
import { limitSize, MAX_CONVERSATIONS, MAX_PICTURE_CHARACTERS, stopUnfinished } from './storage.ts'

/** A conversation with an answer to every message. */
function aConversation(questions: readonly string[], models = ['m-1']): Conversation {
  const conversation = newConversation(models)
  const turns = questions.map((question) => answered(newTurn(question, [], conversation.columns), `re: ${question}`))
  return { ...conversation, turns }
}

function answered(turn: Turn, content: string, fields: Partial<Answer> = {}): Turn {
  const answers = Object.entries(turn.answers).map(([column, answer]): [string, Answer] => [
    column,
    { ...answer, content, status: 'complete', ...fields },
  ])
  return { ...turn, answers: Object.fromEntries(answers) }
}

const lastMessages = (conversation: Conversation, systemPrompt = '') =>
  messagesFor(conversation, {
    turnId: conversation.turns.at(-1)!.id,
    columnId: conversation.columns[0]!.id,
    systemPrompt,
  })

describe('messagesFor', () => {
  it('returns the system prompt, the earlier turns and the message', () => {
    expect(lastMessages(aConversation(['a', 'b']), 'Be kind.')).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 're: a' },
      { role: 'user', content: 'b' },
    ])
  })

  it('leaves out turns before a cleared context and failed turns', () => {
    const conversation = aConversation(['a', 'b', 'c', 'd'])
    conversation.turns[0]!.endsContext = true
    conversation.turns[1] = answered(conversation.turns[1]!, '', { status: 'error' })

    expect(lastMessages(conversation).map(({ content }) => content)).toEqual(['c', 're: c', 'd'])
  })

  it('adds the saved pictures as parts', () => {
    const conversation = aConversation(['look'])
    conversation.turns[0]!.question.pictures = [
      { url: 'data:image/png;base64,AA', name: 'a' },
      { url: '', name: 'b' },
    ]

    expect(lastMessages(conversation)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ])
  })
})

describe('changeAnswer', () => {
  it('keeps the other turns the same objects', () => {
    const conversation = aConversation(['a', 'b'])
    const { id } = Object.values(conversation.turns[1]!.answers)[0]!

    const changed = changeAnswer(conversation, id, (answer) => ({ ...answer, content: 'new' }))

    expect(changed.turns[0]).toBe(conversation.turns[0])
    expect(Object.values(changed.turns[1]!.answers)[0]!.content).toBe('new')
  })
})

describe('stored conversations', () => {
  it('are the newest ones, without their oldest pictures', () => {
    const large: Picture = { url: `data:image/png;base64,${'A'.repeat(MAX_PICTURE_CHARACTERS * 0.7)}`, name: 'large' }
    const many = Array.from({ length: MAX_CONVERSATIONS + 5 }, (_, at) => aConversation([`q${at}`, 'again']))
    for (const turn of many[0]!.turns) turn.question.pictures = [large]

    const stored = limitSize(many)

    expect(stored).toHaveLength(MAX_CONVERSATIONS)
    expect(stored.map(titleOf)[0]).toBe('q0')
    expect(stored[0]!.turns.map(({ question }) => question.pictures[0]!.url.length > 0)).toEqual([false, true])
  })

  it('leave out the oldest ones when the text is too long', () => {
    const long = () => aConversation(['a'.repeat(400_000)])

    expect(limitSize([long(), long(), long(), long()])).toHaveLength(2)
  })

  it('leave out empty conversations', () => {
    expect(limitSize([newConversation(['m'])])).toEqual([])
  })

  it('show answers as stopped that were generating when the page was closed', () => {
    const conversation = newConversation(['m'])
    conversation.turns = [newTurn('a', [], conversation.columns)]

    const [restored] = stopUnfinished([conversation])

    expect(Object.values(restored!.turns[0]!.answers)[0]).toMatchObject({ status: 'complete', stopped: true })
  })
})

describe('an export', () => {
  const texts = { question: 'Question', untitled: 'Untitled', thinking: 'Thinking' }

  it('has a Markdown section for every model', () => {
    const conversation = aConversation(['When?\nSoon?'], ['m-1', 'm-2'])

    expect(toMarkdown(conversation, texts)).toBe(
      '# When?\n\n## Question\n\nWhen?\nSoon?\n\n## m-1\n\nre: When?\nSoon?\n\n## m-2\n\nre: When?\nSoon?\n',
    )
  })

  it('contains everything as JSON', () => {
    const conversation = aConversation(['When?'])

    const written = JSON.parse(toJson(conversation)) as { title: string; turns: { messages: object[] }[] }

    expect(written.title).toBe('When?')
    expect(written.turns[0]!.messages).toMatchObject([
      { role: 'user', content: 'When?', status: 'complete' },
      { role: 'assistant', content: 're: When?', status: 'complete', model: 'm-1' },
    ])
  })
})
