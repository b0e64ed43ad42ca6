import { describe, expect, it } from 'vitest'
import { rank } from './rank.ts'

const item = (title: string, ...terms: string[]) => ({ title, terms })
const titles = (items: { title: string }[]) => items.map(({ title }) => title)

describe('rank', () => {
  it('sorts prefixes before prefixes of words and substrings', () => {
    const items = [item('Backlogs'), item('Usage logs'), item('Logs of tasks'), item('Wallet')]

    expect(titles(rank(items, 'log'))).toEqual(['Logs of tasks', 'Usage logs', 'Backlogs'])
  })

  it('sorts matches in titles before matches in terms', () => {
    const items = [item('用户管理', 'Users', 'yhgl'), item('users of the week')]

    expect(titles(rank(items, 'USERS'))).toEqual(['users of the week', '用户管理'])
    expect(titles(rank(items, 'yhg'))).toEqual(['用户管理'])
    expect(titles(rank(items, '管理'))).toEqual(['用户管理'])
  })

  it('matches words in any order', () => {
    const items = [item('Create a token'), item('Create a channel')]

    expect(titles(rank(items, ' token  create '))).toEqual(['Create a token'])
  })

  it('keeps the order of equal matches and leaves out the rest', () => {
    const items = [item('b one'), item('a one'), item('two')]

    expect(titles(rank(items, 'one'))).toEqual(['b one', 'a one'])
  })
})
