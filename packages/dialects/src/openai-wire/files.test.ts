import { expect, it } from 'vitest'
import { requireOpenAIFile } from './files.ts'

it('accepts file ids of OpenAI', () => {
  expect(requireOpenAIFile('file-6F2k', 'an image')).toBe('file-6F2k')
})

it.each(['file_011CN', 'files/abc', 'https://generativelanguage.googleapis.com/v1beta/files/abc'])(
  'rejects %s, a file id of another provider',
  (id) => {
    expect(() => requireOpenAIFile(id, 'a document')).toThrow(`a document that another provider stores (${id})`)
  },
)
