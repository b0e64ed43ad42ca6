import { describe, expect, it } from 'vitest'
import { measure, readabilityTable } from './readability.ts'

describe('the readability of a page', () => {
  it('counts words per sentence in paragraphs and list items', () => {
    const page =
      '# A title of many words\n\nOne two three four. Five six seven eight nine ten.\n\n- One two three\n  four five.\n'

    expect(measure(page)).toEqual({
      sentences: 3,
      average: 5,
      longest: { words: 6, text: 'Five six seven eight nine ten.' },
    })
  })

  it('ignores code blocks, addresses and front matter, and counts inline code as one word', () => {
    const page =
      '---\ntitle: a b c d e f g h\n---\n\n```sh\none two three four five six\n```\n\nRun `npm run build` in [the folder](a/b c.md) now.\n'

    expect(measure(page)).toMatchObject({ sentences: 1, longest: { words: 6 } })
  })

  it('reports the longest sentence of a table but leaves tables out of the average', () => {
    const page = 'One two three four.\n\n| One | Two |\n|---|---|\n| one two three four five six | one two three |\n'

    expect(measure(page)).toMatchObject({ average: 4, longest: { words: 6 } })
  })

  it('does not end a sentence at an abbreviation or a version', () => {
    expect(measure('Use a proxy, e.g. Caddy 2.8 or newer.').sentences).toBe(1)
  })

  it('is shown beside what a page had in an earlier report', () => {
    const pages = new Map([
      ['README.md', measure('One two three four.')],
      ['docs/guides/new.md', measure('One two three. One two three four.')],
    ])
    const report = '# Report\n\n| `README.md` | 12.3 | 28 | 10.1 | 18 |\n| `gone.md` | 9.0 | 20 | 9.0 | 20 |\n'

    expect(readabilityTable(pages, report).split('\n')).toEqual([
      '| Page | Average before | Longest before | Average now | Longest now |',
      '|---|--:|--:|--:|--:|',
      '| `README.md` | 12.3 | 28 | 4.0 | 4 |',
      '| `guides/new.md` | – | – | 3.5 | 4 |',
    ])
  })
})
