import { curlPost, openaiPython, openaiTypeScript, quote, type Connection } from '../../components/code-samples.ts'
import type { ChatMessage } from './conversation/conversation.ts'

export interface CodeSample {
  id: 'curl' | 'python' | 'node'
  name: string
  /** For syntax highlighting. */
  language: string
  text: string
}

interface SampleRequest {
  messages: readonly ChatMessage[]
  max_tokens: number
  temperature: number
}

/** Code that sends the request with the user's own token. */
export function codeSamples(connection: Connection, request: SampleRequest): CodeSample[] {
  const body = {
    model: connection.model,
    messages: request.messages.map(withShortImages),
    ...(request.temperature > 0 && { temperature: request.temperature }),
    ...(request.max_tokens > 0 && { max_tokens: request.max_tokens }),
    stream: true,
  }
  return [
    { id: 'curl', name: 'curl', language: 'bash', text: curlPost(connection, '/chat/completions', body) },
    { id: 'python', name: 'Python', language: 'python', text: openaiPython(connection, pythonCall(body)) },
    { id: 'node', name: 'Node.js', language: 'typescript', text: openaiTypeScript(connection, nodeCall(body)) },
  ]
}

/** Shortens data URLs of images, which can be megabytes. */
function withShortImages({ role, content }: ChatMessage): ChatMessage {
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

/** JSON is valid in both languages, except for `true`. */
function membersOf(body: object): [string, string][] {
  return Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? quote(value) : JSON.stringify(value, null, 2).replaceAll('\n', '\n    '),
  ])
}
