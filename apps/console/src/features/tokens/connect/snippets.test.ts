import { describe, expect, it } from 'vitest'
import { shellQuote } from '../../../components/code-samples.ts'
import {
  claudeCodeSnippets,
  clientFields,
  codexSnippets,
  curlSnippets,
  powerShellQuote,
  sdkSnippets,
  type Snippet,
} from './snippets.ts'

const CONNECTION = { address: 'https://gate.example', key: 'sk-abc', model: "o'model" }
const PROMPT = '说 "hello"'

const textOf = (snippets: Snippet[], place: string) => snippets.find((snippet) => snippet.place === place)!.text

describe('Claude Code', () => {
  it('uses the address without a path, the key as a bearer token and one model for all roles', () => {
    const { env } = JSON.parse(textOf(claudeCodeSnippets(CONNECTION), '~/.claude/settings.json')) as { env: unknown }

    expect(env).toEqual({
      ANTHROPIC_BASE_URL: 'https://gate.example',
      ANTHROPIC_AUTH_TOKEN: 'sk-abc',
      ANTHROPIC_MODEL: "o'model",
      ANTHROPIC_DEFAULT_HAIKU_MODEL: "o'model",
      ANTHROPIC_DEFAULT_SONNET_MODEL: "o'model",
      ANTHROPIC_DEFAULT_OPUS_MODEL: "o'model",
    })
  })

  it('has the same values as environment variables of both kinds of shell', () => {
    const snippets = claudeCodeSnippets(CONNECTION)

    expect(textOf(snippets, 'macOS / Linux').split('\n')).toEqual([
      "export ANTHROPIC_BASE_URL='https://gate.example'",
      "export ANTHROPIC_AUTH_TOKEN='sk-abc'",
      "export ANTHROPIC_MODEL='o'\\''model'",
      "export ANTHROPIC_DEFAULT_HAIKU_MODEL='o'\\''model'",
      "export ANTHROPIC_DEFAULT_SONNET_MODEL='o'\\''model'",
      "export ANTHROPIC_DEFAULT_OPUS_MODEL='o'\\''model'",
      'claude',
    ])
    expect(textOf(snippets, 'Windows PowerShell')).toContain("$env:ANTHROPIC_MODEL = 'o''model'\n")
  })
})

describe('Codex', () => {
  it('has a custom provider with the Responses API, and reads the key from a variable', () => {
    const snippets = codexSnippets(CONNECTION, 'The "Harbour"')

    expect(textOf(snippets, '~/.codex/config.toml')).toBe(`model = "o'model"
model_provider = "gateway"

[model_providers.gateway]
name = "The \\"Harbour\\""
base_url = "https://gate.example/v1"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"`)
    expect(textOf(snippets, 'macOS / Linux')).toBe("export GATEWAY_API_KEY='sk-abc'\ncodex")
  })
})

describe('the SDK snippets', () => {
  const snippets = sdkSnippets(CONNECTION, PROMPT)

  it.each([
    ['OpenAI · TypeScript', 'baseURL: "https://gate.example/v1"'],
    ['OpenAI · Python', 'base_url="https://gate.example/v1"'],
    ['Anthropic · TypeScript', 'baseURL: "https://gate.example"'],
    ['Google Gen AI · TypeScript', 'httpOptions: { baseUrl: "https://gate.example" }'],
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
