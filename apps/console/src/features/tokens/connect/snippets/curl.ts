import { chatBody, curlPost, openaiRoot, shellQuote, type Connection } from '../../../../lib/code-samples/index.ts'
import type { Snippet } from './connection.ts'

export function curlSnippets(connection: Connection, prompt: string): Snippet[] {
  const list = [
    `curl ${shellQuote(`${openaiRoot(connection)}/models`)}`,
    `  -H ${shellQuote(`Authorization: Bearer ${connection.key}`)}`,
  ]
  return [
    {
      place: 'POST /v1/chat/completions',
      text: curlPost(connection, '/chat/completions', chatBody(connection, prompt)),
    },
    { place: 'GET /v1/models', text: list.join(' \\\n') },
  ]
}
