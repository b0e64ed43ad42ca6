import { describe, expect, it } from 'vitest'
import { splitBlocks, withoutHighlighting } from './split-blocks.ts'

const PARAGRAPH = `${'The tide comes in and the gate lets it through. '.repeat(10).trim()}\n\n`

describe('splitBlocks', () => {
  it('splits between paragraphs without losing text', () => {
    const text = `${PARAGRAPH}${PARAGRAPH}${PARAGRAPH}last words`

    const parts = splitBlocks(text)

    expect(parts.slice(0, 2)).toEqual([PARAGRAPH, PARAGRAPH])
    expect(parts.join('')).toBe(text)
  })

  it('changes only the last part when text is appended', () => {
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
  ])('does not split %s', (_, block) => {
    const parts = splitBlocks(PARAGRAPH + block)

    expect(parts.at(-1)).toContain(block)
  })

  it('does not split a quote with several paragraphs', () => {
    const text = `${PARAGRAPH}${'> words\n\n> more words\n\n'.repeat(40)}`

    expect(splitBlocks(text)).toEqual([text])
  })

  it('splits a very long list between its entries', () => {
    const parts = splitBlocks('1. an entry of a list with some words in it\n'.repeat(500))

    expect(parts.length).toBeGreaterThan(3)
    expect(parts.every((part) => part.startsWith('1. '))).toBe(true)
  })
})

describe('withoutHighlighting', () => {
  const long = 'x = 1\n'.repeat(2000)

  it('removes the language of a long open code block', () => {
    expect(withoutHighlighting(`words\n\n\`\`\`python\n${long}`)).toBe(`words\n\n\`\`\`\n${long}`)
  })

  it('keeps short and complete code blocks unchanged', () => {
    expect(withoutHighlighting('```python\nx')).toBe('```python\nx')
    expect(withoutHighlighting(`\`\`\`python\n${long}\`\`\`\n`)).toBe(`\`\`\`python\n${long}\`\`\`\n`)
  })
})
