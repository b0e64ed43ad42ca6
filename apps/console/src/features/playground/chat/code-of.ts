import { curlPost, openaiPython, openaiTypeScript, quote, type Connection } from '../../../components/code-samples.ts'
import type { ChatMessage } from '../conversation/messages-for.ts'

export interface CodeSample {
  id: 'curl' | 'python' | 'node'
  name: string
  /** For the colours. */
  language: string
  text: string
}

interface Asked {
  messages: readonly ChatMessage[]
  max_tokens: number
  temperature: number
}

/** What a program would send to ask the same, with the person's own token. */
export function codeOf(connection: Connection, asked: Asked): CodeSample[] {
  const body = {
    model: connection.model,
    messages: asked.messages.map(shortened),
    ...(asked.temperature > 0 && { temperature: asked.temperature }),
    ...(asked.max_tokens > 0 && { max_tokens: asked.max_tokens }),
    stream: true,
  }
  return [
    { id: 'curl', name: 'curl', language: 'bash', text: curlPost(connection, '/chat/completions', body) },
    { id: 'python', name: 'Python', language: 'python', text: openaiPython(connection, pythonCall(body)) },
    { id: 'node', name: 'Node.js', language: 'typescript', text: openaiTypeScript(connection, nodeCall(body)) },
  ]
}

/** Nobody reads the letters of a picture. */
function shortened({ role, content }: ChatMessage): ChatMessage {
  if (typeof content === 'string') return { role, content }
  const parts = content.map((part) =>
    part.type === 'image_url' && part.image_url.url.length > 200
      ? { type: part.type, image_url: { url: `${part.image_url.url.slice(0, 40)}...` } }
      : part,
  )
  return { role, content: parts }
}

function nodeCall(body: object): string[] {
  return [
    'const stream = await client.chat.completions.create({',
    ...membersOf(body).map(([name, value]) => `  ${name}: ${value},`),
    '});',
    'for await (const chunk of stream) {',
    '  process.stdout.write(chunk.choices[0]?.delta?.content ?? "");',
    '}',
  ]
}

function pythonCall(body: object): string[] {
  return [
    'stream = client.chat.completions.create(',
    ...membersOf(body).map(([name, value]) => `    ${name}=${value === 'true' ? 'True' : value},`),
    ')',
    'for chunk in stream:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="")',
  ]
}

/** JSON reads the same in both languages, but for what is true. */
function membersOf(body: object): [string, string][] {
  return Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? quote(value) : JSON.stringify(value, null, 2).replaceAll('\n', '\n    '),
  ])
}
