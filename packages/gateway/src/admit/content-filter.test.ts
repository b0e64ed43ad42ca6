import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { filterContent, createWordFinder } from './content-filter.ts'

const warnings: object[] = []
const note = { requestId: 'r', log: { info() {}, error() {}, warn: (details: object) => void warnings.push(details) } }
const settings = (...words: string[]) => ({ ...readSettings(new Map()), SensitiveWords: words })
const check = async (words: string[], text: string, group = 'default') =>
  filterContent(settings(...words), group, ['fine', text], note)

describe('filterContent', () => {
  it.each([
    [['forbidden'], 'It is FORBIDDEN here'],
    [['敏感词'], '这里有敏感词。'],
    [['regex:^bad\\s+thing'], 'Bad   thing'],
    [['regex:(', 'other'], 'an other word'],
    [['regex:(?=a)a', 'regex:[\\u4e00-\\u9fa5]{4}'], 'four: 潮起潮落'],
    [['regex:\\bca[rt]\\b'], 'a CAT'],
  ])('rejects %j in %j', async (words, text) => {
    await expect(check(words, text)).rejects.toMatchObject({ code: 'sensitive_words_detected', status: 400 })
  })

  it('accepts any other prompt, also with an empty list', async () => {
    await check(['forbidden'], 'for bidden')
    await check([], 'forbidden')
  })

  it('finds a word anywhere in a very long text, and yields to other work meanwhile', async () => {
    const book = 'The tide comes in. '.repeat(20_000)
    let turns = 0
    const others = setInterval(() => (turns += 1), 0)

    for (const at of [0, 64 * 1024 - 4, 128 * 1024, book.length]) {
      const text = `${book.slice(0, at)}FORBIDDEN${book.slice(at)}`
      await expect(check(['forbidden'], text)).rejects.toMatchObject({ code: 'sensitive_words_detected' })
    }

    clearInterval(others)
    expect(turns).toBeGreaterThan(0)
  })

  it('writes the word to the log only', async () => {
    await expect(check(['hidden-word'], 'a hidden-word')).rejects.not.toMatchObject({
      message: expect.stringContaining('hidden-word'),
    })
    expect(warnings.at(-1)).toMatchObject({ requestId: 'r', word: 'hidden-word' })
  })

  it('does not apply to the exempt group, nor when switched off', async () => {
    const exempt = { ...settings('no'), 'global.safe_check_exempt_enabled': true }

    await filterContent(exempt, 'nsfw-ok', ['no'], note)
    expect(() => filterContent(exempt, 'default', ['no'], note)).toThrow()
    await filterContent({ ...settings('no'), CheckSensitiveEnabled: false }, 'default', ['no'], note)
  })

  it('logs invalid expressions once', async () => {
    const words = ['regex:(', 'regex:(?<!a)b']
    const list = settings(...words)
    warnings.length = 0

    for (let turn = 0; turn < 3; turn += 1) await filterContent(list, 'default', ['b'], note)

    expect(warnings).toMatchObject([{ expression: '(' }, { expression: '(?<!a)b' }])
  })

  // A backtracking engine would take exponential time with each of these.
  it('takes linear time for every expression', async () => {
    const evil = ['regex:^(a+)+$', 'regex:(a|aa)+$', 'regex:(.*a){20}b', 'regex:([a-z]+)*\\d']

    await expect(check(evil, `${'a'.repeat(20_000)}!`)).resolves.toBeUndefined()
  })

  it('finds a match after a text that makes backtracking engines slow', async () => {
    await expect(check(['regex:^(a+)+!x$'], `${'a'.repeat(50_000)}!x`)).rejects.toMatchObject({
      code: 'sensitive_words_detected',
    })
  })
})

describe('createWordFinder', () => {
  const others = Array.from({ length: 100 }, (_, index) => `other-${index}`)
  it.each([{ more: [] }, { more: others }])(
    'finds the same words as a plain search, among $more.length more',
    ({ more }) => {
      const words = ['she', 'he', 'hers', 'aab', 'ab', ...more]
      const find = createWordFinder(words)

      // Texts that start like a word without completing it.
      for (const text of ['ushers', 'aaab', 'xhxe', 'hehe', '', 'aa', 'her', 'shx', 'saab', 'aaaaa']) {
        expect([text, find(text) !== undefined]).toEqual([text, words.some((word) => text.includes(word))])
      }
    },
  )

  it('finds none of many words in a text made of their prefixes', () => {
    const find = createWordFinder(Array.from({ length: 20_000 }, (_, index) => `word-${index}-end`))
    const text = 'word-19999-en '.repeat(20_000)

    expect(find(text)).toBeUndefined()
  })
})
