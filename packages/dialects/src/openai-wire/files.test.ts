import { expect, it } from 'vitest'
import { requireOpenAIFile } from './files.ts'

it('passes on names of its own kind', () => {
  expect(requireOpenAIFile('file-6F2k', 'an image')).toBe('file-6F2k')
})

it.each(['file_011CN', 'files/abc', 'https://generativelanguage.googleapis.com/v1beta/files/abc'])(
  'refuses %s, which another vendor keeps',
  (id) => {
    expect(() => requireOpenAIFile(id, 'a document')).toThrow(`a document that another vendor keeps (${id})`)
  },
)
