import { expect, it } from 'vitest'
import { codeSamples } from './request-code.ts'

const CONNECTION = { address: 'https://gate.example', key: 'sk-YOUR-TOKEN', model: 'm-1' }
const sampleOf = (id: string, request: Partial<Parameters<typeof codeSamples>[1]> = {}) =>
  codeSamples(CONNECTION, {
    messages: [{ role: 'user', content: "It's 5" }],
    max_tokens: 0,
    temperature: 0,
    ...request,
  }).find((sample) => sample.id === id)!.text

it('writes a curl command with a token', () => {
  const text = sampleOf('curl')

  expect(text).toContain("curl 'https://gate.example/v1/chat/completions'")
  expect(text).toContain('Authorization: Bearer sk-YOUR-TOKEN')
  expect(text).toContain(`"content": "It'\\''s 5"`)
  expect(text).not.toMatch(/max_tokens|temperature|group/)
})

it('includes the settings, and writes booleans as Python does', () => {
  const text = sampleOf('python', { max_tokens: 64, temperature: 0.7 })

  expect(text).toMatch(/^ {4}temperature=0\.7,$/m)
  expect(text).toMatch(/^ {4}max_tokens=64,$/m)
  expect(text).toMatch(/^ {4}stream=True,$/m)
})

it('streams with the OpenAI library for Node.js', () => {
  expect(sampleOf('node')).toMatch(/^ {2}model: "m-1",$/m)
  expect(sampleOf('node')).toContain('for await (const chunk of stream)')
})

it('shortens the data URL of a picture', () => {
  const url = `data:image/png;base64,${'A'.repeat(5000)}`

  expect(
    sampleOf('curl', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }).length,
  ).toBeLessThan(700)
})
