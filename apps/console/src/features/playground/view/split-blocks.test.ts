import { describe, expect, it } from 'vitest'
import { splitBlocks, withoutColours } from './split-blocks.ts'

const PARAGRAPH = `${'The tide comes in and the gate lets it through. '.repeat(10).trim()}\n\n`

describe('splitBlocks', () => {
  it('cuts between paragraphs, and loses nothing', () => {
    const text = `${PARAGRAPH}${PARAGRAPH}${PARAGRAPH}last words`

    const parts = splitBlocks(text)

    expect(parts.slice(0, 2)).toEqual([PARAGRAPH, PARAGRAPH])
    expect(parts.join('')).toBe(text)
  })

  it('never changes a part again once another follows it, however the text arrives', () => {
    const code = '```ts\nconst a = 1\n\nconst b = 2\n```\n\n'
    const text =
      `${PARAGRAPH}# Title\n\n${code}${PARAGRAPH}- one\n\n- two\n\n  more\n\n${PARAGRAPH}$$\nx\n\ny\n$$\n\n${PARAGRAPH}`.repeat(
        4,
      )
    let before: string[] = []

    for (let length = 1; length <= text.length; length += 7) {
      const parts = splitBlocks(text.slice(0, length))
      expect(parts.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      before = parts
    }
    expect(before.length).toBeGreaterThan(8)
  })

  it.each([
    ['a block of code', `\`\`\`\n${'line\n\n'.repeat(200)}\`\`\`\n`],
    ['a longer fence around a shorter one', `\`\`\`\`md\n${'```\ncode\n\n```\n'.repeat(60)}\`\`\`\`\n`],
    ['a formula', `$$\n${'x + y\n\n'.repeat(100)}$$\n`],
    ['a table', `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(100)}`],
  ])('keeps %s in one piece', (_, block) => {
    const parts = splitBlocks(PARAGRAPH + block)

    expect(parts.at(-1)).toContain(block)
  })

  it('keeps a quote with its second paragraph', () => {
    const text = `${PARAGRAPH}${'> words\n\n> more words\n\n'.repeat(40)}`

    expect(splitBlocks(text)).toEqual([text])
  })

  it('cuts a very long list between its entries', () => {
    const parts = splitBlocks('1. an entry of a list with some words in it\n'.repeat(500))

    expect(parts.length).toBeGreaterThan(3)
    expect(parts.every((part) => part.startsWith('1. '))).toBe(true)
  })
})

describe('withoutColours', () => {
  const long = 'x = 1\n'.repeat(2000)

  it('takes the language from a long block of code that is not whole', () => {
    expect(withoutColours(`words\n\n\`\`\`python\n${long}`)).toBe(`words\n\n\`\`\`\n${long}`)
  })

  it('leaves short ones and whole ones alone', () => {
    expect(withoutColours('```python\nx')).toBe('```python\nx')
    expect(withoutColours(`\`\`\`python\n${long}\`\`\`\n`)).toBe(`\`\`\`python\n${long}\`\`\`\n`)
  })
})
