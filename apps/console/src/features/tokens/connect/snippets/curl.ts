import { openaiRoot, shellQuote, type Connection, type Snippet } from './connection.ts'

export function curlSnippets(connection: Connection, prompt: string): Snippet[] {
  const { key, model } = connection
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }, null, 2)
  const ask = [
    `curl ${shellQuote(`${openaiRoot(connection)}/chat/completions`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${key}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellQuote(body)}`,
  ]
  const list = [
    `curl ${shellQuote(`${openaiRoot(connection)}/models`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${key}`)}`,
  ]
  return [
    { place: 'POST /v1/chat/completions', text: ask.join(' \\\n') },
    { place: 'GET /v1/models', text: list.join(' \\\n') },
  ]
}
