import ts from 'typescript'
import { expect, it } from 'vitest'
import { sources, walk } from './test-sources.ts'

/** Words that a person would read, in places where they would be seen. */
const SEEN_ATTRIBUTES = /^(title|label|alt|description|extra|help|message|okText|cancelText|aria-label)$/
const WORD = /\p{L}{2}/u

/** The same in every language: names of keys, and what stands for no word at all. */
const NAMES = new Set(['Esc', 'Ctrl', 'Shift', 'Enter', 'HTTP', '· ID', '&nbsp;'])

it('no screen holds words of its own: they come from the texts, in every language', () => {
  const found: string[] = []
  for (const file of sources) {
    // A page of samples for developers, and a part of tests: no user is led to either.
    if (/\/(dev-ui\/|test-settings\.)/.test(file.fileName)) continue
    const note = (text: string) => {
      const words = text.trim()
      if (WORD.test(words) && !NAMES.has(words)) found.push(`${file.fileName}: ${words}`)
    }
    walk(file, (node) => {
      if (ts.isJsxText(node)) note(node.text)
      if (!ts.isJsxAttribute(node) || !node.initializer || !ts.isStringLiteral(node.initializer)) return
      const name = node.name.getText(file)
      // A placeholder without a blank is an example of what to enter.
      const isSeen = SEEN_ATTRIBUTES.test(name) || (name === 'placeholder' && /\s/.test(node.initializer.text))
      if (isSeen) note(node.initializer.text)
    })
  }

  expect(sources.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})
