import { describe, expect, it } from 'vitest'
import { changeAnswer, newConversation, newTurn, titleOf } from './conversation.ts'
import { toJson, toMarkdown } from './export-conversation.ts'
import { messagesFor } from './messages-for.ts'
import { afterReload, fitToShelf, MAX_CONVERSATIONS, MAX_PICTURE_CHARACTERS } from './saved.ts'
import type { Answer, Conversation, Picture, Turn } from './types.ts'

/** A conversation in which every question was answered. */
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

const ask = (conversation: Conversation, systemPrompt = '') =>
  messagesFor(conversation, {
    turnId: conversation.turns.at(-1)!.id,
    columnId: conversation.columns[0]!.id,
    systemPrompt,
  })

describe('what a model is told', () => {
  it('is the system prompt, what was said before, and the question', () => {
    expect(ask(aConversation(['a', 'b']), 'Be kind.')).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 're: a' },
      { role: 'user', content: 'b' },
    ])
  })

  it('leaves out what was before a cleared context, and what failed', () => {
    const conversation = aConversation(['a', 'b', 'c', 'd'])
    conversation.turns[0]!.endsContext = true
    conversation.turns[1] = answered(conversation.turns[1]!, '', { status: 'error' })

    expect(ask(conversation).map(({ content }) => content)).toEqual(['c', 're: c', 'd'])
  })

  it('has pictures as parts, but for those that were let go', () => {
    const conversation = aConversation(['look'])
    conversation.turns[0]!.question.pictures = [
      { url: 'data:image/png;base64,AA', name: 'a' },
      { url: '', name: 'b' },
    ]

    expect(ask(conversation)).toEqual([
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

describe('a change of an answer', () => {
  it('leaves every other turn the same object', () => {
    const conversation = aConversation(['a', 'b'])
    const { id } = Object.values(conversation.turns[1]!.answers)[0]!

    const changed = changeAnswer(conversation, id, (answer) => ({ ...answer, content: 'new' }))

    expect(changed.turns[0]).toBe(conversation.turns[0])
    expect(Object.values(changed.turns[1]!.answers)[0]!.content).toBe('new')
  })
})

describe('what a browser keeps', () => {
  it('is bounded: the newest conversations, without the oldest pictures', () => {
    const large: Picture = { url: `data:image/png;base64,${'A'.repeat(MAX_PICTURE_CHARACTERS * 0.7)}`, name: 'large' }
    const many = Array.from({ length: MAX_CONVERSATIONS + 5 }, (_, at) => aConversation([`q${at}`, 'again']))
    for (const turn of many[0]!.turns) turn.question.pictures = [large]

    const kept = fitToShelf(many)

    expect(kept).toHaveLength(MAX_CONVERSATIONS)
    expect(kept.map(titleOf)[0]).toBe('q0')
    expect(kept[0]!.turns.map(({ question }) => question.pictures[0]!.url.length > 0)).toEqual([false, true])
  })

  it('gives way from the oldest on when words alone are too many', () => {
    const long = () => aConversation(['a'.repeat(400_000)])

    expect(fitToShelf([long(), long(), long(), long()])).toHaveLength(2)
  })

  it('forgets conversations in which nothing was said', () => {
    expect(fitToShelf([newConversation(['m'])])).toEqual([])
  })

  it('shows what was under way when the page went away as stopped', () => {
    const conversation = newConversation(['m'])
    conversation.turns = [newTurn('a', [], conversation.columns)]

    const [restored] = afterReload([conversation])

    expect(Object.values(restored!.turns[0]!.answers)[0]).toMatchObject({ status: 'complete', stopped: true })
  })
})

describe('an export', () => {
  const words = { question: 'Question', untitled: 'Untitled', thinking: 'Thinking' }

  it('reads as Markdown, every model under its name', () => {
    const conversation = aConversation(['When?\nSoon?'], ['m-1', 'm-2'])

    expect(toMarkdown(conversation, words)).toBe(
      '# When?\n\n## Question\n\nWhen?\nSoon?\n\n## m-1\n\nre: When?\nSoon?\n\n## m-2\n\nre: When?\nSoon?\n',
    )
  })

  it('is whole as JSON', () => {
    const conversation = aConversation(['When?'])

    const written = JSON.parse(toJson(conversation)) as { title: string; turns: { messages: object[] }[] }

    expect(written.title).toBe('When?')
    expect(written.turns[0]!.messages).toMatchObject([
      { role: 'user', content: 'When?', status: 'complete' },
      { role: 'assistant', content: 're: When?', status: 'complete', model: 'm-1' },
    ])
  })
})
