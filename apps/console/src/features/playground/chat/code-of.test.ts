import { expect, it } from 'vitest'
import { codeOf } from './code-of.ts'

const CONNECTION = { address: 'https://gate.example', key: 'sk-YOUR-TOKEN', model: 'm-1' }
const sampleOf = (id: string, asked: Partial<Parameters<typeof codeOf>[1]> = {}) =>
  codeOf(CONNECTION, { messages: [{ role: 'user', content: "It's 5" }], max_tokens: 0, temperature: 0, ...asked }).find(
    (sample) => sample.id === id,
  )!.text

it('asks with curl what the playground asked, with a token', () => {
  const text = sampleOf('curl')

  expect(text).toContain("curl 'https://gate.example/v1/chat/completions'")
  expect(text).toContain('Authorization: Bearer sk-YOUR-TOKEN')
  expect(text).toContain(`"content": "It'\\''s 5"`)
  expect(text).not.toMatch(/max_tokens|temperature|group/)
})

it('says what was set, and true as Python says it', () => {
  const text = sampleOf('python', { max_tokens: 64, temperature: 0.7 })

  expect(text).toMatch(/^ {4}temperature=0\.7,$/m)
  expect(text).toMatch(/^ {4}max_tokens=64,$/m)
  expect(text).toMatch(/^ {4}stream=True,$/m)
})

it('streams with the library for Node', () => {
  expect(sampleOf('node')).toMatch(/^ {2}model: "m-1",$/m)
  expect(sampleOf('node')).toContain('for await (const chunk of stream)')
})

it('does not print the letters of a picture', () => {
  const url = `data:image/png;base64,${'A'.repeat(5000)}`

  expect(
    sampleOf('curl', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }).length,
  ).toBeLessThan(700)
})
