import { describe, expect, it } from 'vitest'
import { shellQuote } from '../../../components/code-samples.ts'
import { clientFields, curlSnippets, powerShellQuote, sdkSnippets, type Snippet } from './snippets.ts'

const CONNECTION = { address: 'https://gate.example', key: 'sk-abc', model: "o'model" }
const PROMPT = '说 "hello"'

const textOf = (snippets: Snippet[], place: string) => snippets.find((snippet) => snippet.place === place)!.text

describe('the SDK snippets', () => {
  const snippets = sdkSnippets(CONNECTION, PROMPT)

  it.each([
    ['OpenAI · TypeScript', 'baseURL: "https://gate.example/v1"'],
    ['OpenAI · Python', 'base_url="https://gate.example/v1"'],
    ['Anthropic · TypeScript', 'baseURL: "https://gate.example"'],
    ['Google Gen AI · TypeScript', 'httpOptions: { baseUrl: "https://gate.example" }'],
    ['Vercel AI SDK · TypeScript', 'baseURL: "https://gate.example/v1"'],
  ])('%s contains %s', (place, line) => {
    expect(textOf(snippets, place)).toContain(line)
  })

  it('contain the key, the model and the prompt as escaped strings', () => {
    for (const { text } of snippets) {
      expect(text).toContain('"sk-abc"')
      expect(text).toContain(`"o'model"`)
      expect(text).toContain('"说 \\"hello\\""')
    }
  })
})

it('quotes the prompt in curl commands', () => {
  const [chat, list] = curlSnippets(CONNECTION, PROMPT).filter(({ shell }) => shell === 'macOS / Linux') as [
    Snippet,
    Snippet,
  ]

  expect(chat.text).toBe(`curl 'https://gate.example/v1/chat/completions' \\
  -H 'Authorization: Bearer sk-abc' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "model": "o'\\''model",
  "messages": [
    {
      "role": "user",
      "content": "说 \\"hello\\""
    }
  ]
}'`)
  expect(list.text).toBe(`curl 'https://gate.example/v1/models' \\
  -H 'Authorization: Bearer sk-abc'`)
})

it('sends the same requests in PowerShell', () => {
  const [chat, list] = curlSnippets(CONNECTION, PROMPT).filter(({ shell }) => shell === 'Windows PowerShell') as [
    Snippet,
    Snippet,
  ]

  expect(chat.text).toBe(`$body = @'
{
  "model": "o'model",
  "messages": [
    {
      "role": "user",
      "content": "说 \\"hello\\""
    }
  ]
}
'@
Invoke-RestMethod 'https://gate.example/v1/chat/completions' \`
  -Headers @{ Authorization = 'Bearer sk-abc' } \`
  -Method Post -ContentType 'application/json' \`
  -Body ([Text.Encoding]::UTF8.GetBytes($body)) | ConvertTo-Json -Depth 9`)
  expect(list.text).toBe(`Invoke-RestMethod 'https://gate.example/v1/models' \`
  -Headers @{ Authorization = 'Bearer sk-abc' }`)
})

it('quotes so that nothing inside is expanded', () => {
  expect(shellQuote('a $(b) `c` "d"')).toBe(`'a $(b) \`c\` "d"'`)
  expect(powerShellQuote("$env:x 'y'")).toBe("'$env:x ''y'''")
})

it.each([
  ['cherryStudio', 'https://gate.example', 'm'],
  ['chatbox', 'https://gate.example', 'm'],
  ['nextChat', 'https://gate.example', '+m@OpenAI'],
  ['lobeChat', 'https://gate.example/v1', 'm'],
  ['openWebUi', 'https://gate.example/v1', 'm'],
  ['cursor', 'https://gate.example/v1', 'm'],
] as const)('%s takes the address as %s and the model as %s', (client, address, model) => {
  expect(clientFields(client, { ...CONNECTION, model: 'm' })).toEqual({ address, key: 'sk-abc', model })
})
