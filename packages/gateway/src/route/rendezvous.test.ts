import { expect, it } from 'vitest'
import { createRendezvous } from './rendezvous.ts'

const conversations = Array.from({ length: 20_000 }, (_, at) => `conversation ${at}`)

function winner(conversation: string, weights: Readonly<Record<number, number>>): number {
  const { score } = createRendezvous(conversation)
  const scores = Object.entries(weights).map(([id, weight]) => ({ id: Number(id), score: score(Number(id), weight) }))
  return scores.toSorted((a, b) => a.score - b.score)[0]!.id
}

it('gives each channel conversations in proportion to its weight', () => {
  const weights = { 11: 10, 12: 20, 13: 70 }

  const won = Map.groupBy(conversations, (conversation) => winner(conversation, weights))

  for (const [id, weight] of Object.entries(weights)) {
    expect(won.get(Number(id))!.length / conversations.length).toBeCloseTo(weight / 100, 1)
  }
})

it('moves only the conversations of a channel that is removed', () => {
  const moved = conversations.filter((conversation) => {
    const before = winner(conversation, { 1: 10, 2: 10, 3: 10 })
    return before !== 3 && winner(conversation, { 1: 10, 2: 10 }) !== before
  })

  expect(moved).toEqual([])
})

it('picks a channel without weight only when there is no other', () => {
  expect(new Set(conversations.slice(0, 500).map((conversation) => winner(conversation, { 1: 0, 2: 1 })))).toEqual(
    new Set([2]),
  )
  expect(winner('c', { 1: 0 })).toBe(1)
})

it('picks the same text for a conversation in every process', () => {
  const picks = ['one', 'two', 'three', 'four', 'five', 'six'].map((conversation) =>
    createRendezvous(conversation).pick(['key-a', 'key-b', 'key-c']),
  )

  // Recorded: a change would move every conversation at the next upgrade.
  expect(picks).toMatchInlineSnapshot(`
    [
      2,
      1,
      2,
      2,
      2,
      1,
    ]
  `)
  expect(createRendezvous('one').pick([])).toBe(-1)
})
