import { describe, expect, it } from 'vitest'
import { rank } from './rank.ts'

const item = (title: string, ...words: string[]) => ({ title, words })
const titles = (items: { title: string }[]) => items.map(({ title }) => title)

describe('what fits the words typed', () => {
  it('comes by beginning, then by the beginning of a word, then by any part', () => {
    const items = [item('Backlogs'), item('Usage logs'), item('Logs of tasks'), item('Wallet')]

    expect(titles(rank(items, 'log'))).toEqual(['Logs of tasks', 'Usage logs', 'Backlogs'])
  })

  it('is found by its other names, after those whose title says it', () => {
    const items = [item('用户管理', 'Users', 'yhgl'), item('users of the week')]

    expect(titles(rank(items, 'USERS'))).toEqual(['users of the week', '用户管理'])
    expect(titles(rank(items, 'yhg'))).toEqual(['用户管理'])
    expect(titles(rank(items, '管理'))).toEqual(['用户管理'])
  })

  it('may hold the words in any order', () => {
    const items = [item('Create a token'), item('Create a channel')]

    expect(titles(rank(items, ' token  create '))).toEqual(['Create a token'])
  })

  it('keeps the order of equals, and leaves out what does not fit', () => {
    const items = [item('b one'), item('a one'), item('two')]

    expect(titles(rank(items, 'one'))).toEqual(['b one', 'a one'])
  })
})
