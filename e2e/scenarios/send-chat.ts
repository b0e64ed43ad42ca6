import { Agent, request, type IncomingMessage } from 'node:http'

/** A request in a form that can be sent to another process. */
export interface ChatRequest {
  url: string
  key: string
  body: { model: string; stream: boolean; messages: { role: 'user'; content: string }[]; max_tokens?: number }
  /** Aborts after this many chunks with content. */
  leaveAfterChunks?: number
}

/** A request as its client saw it. */
export interface ChatResult {
  outcome: /** The whole response with its end mark. */
    | 'complete'
    /** An error with a status, before any content. */
    | 'rejected'
    /** An error event, or a connection that broke. */
    | 'broken'
    /** The client disconnected. */
    | 'left'
    /** No process listened: the request was never sent. */
    | 'unreachable'
  /** Missing if the connection broke before the headers arrived. */
  requestId?: string
  status?: number
  /** The error code. */
  code?: string
  message?: string
  /** Events with content, or 1 for a whole response. */
  chunks: number
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Sends a request on a plain socket, without a client library. Never throws. */
export async function sendChat({ url, key, body, leaveAfterChunks = Infinity }: ChatRequest): Promise<ChatResult> {
  const result: ChatResult = { outcome: 'broken', chunks: 0, text: '' }
  try {
    const response = await send(url, key, JSON.stringify(body))
    result.requestId = String(response.headers['x-request-id'])
    result.status = response.statusCode
    if (response.statusCode !== 200) return readError(result, await textOf(response))
    return body.stream ? await readStream(response, result, leaveAfterChunks) : whole(result, await textOf(response))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED') result.outcome = 'unreachable'
    return result
  }
}

function send(url: string, key: string, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent })
      .once('response', resolve)
      .on('error', reject)
      .end(body)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part as string
  return text
}

function readError(result: ChatResult, text: string): ChatResult {
  const { error } = JSON.parse(text) as { error: { code: string; message: string } }
  return { ...result, outcome: 'rejected', code: error.code, message: error.message }
}

function whole(result: ChatResult, text: string): ChatResult {
  const { choices } = JSON.parse(text) as { choices: { message: { content: string } }[] }
  return { ...result, outcome: 'complete', chunks: 1, text: choices[0]!.message.content }
}

async function readStream(
  response: IncomingMessage,
  result: ChatResult,
  leaveAfterChunks: number,
): Promise<ChatResult> {
  let rest = ''
  for await (const part of response.setEncoding('utf8')) {
    const lines = (rest + (part as string)).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue
      const data = line.slice('data: '.length)
      if (data === '[DONE]') result.outcome = 'complete'
      else readChunk(result, JSON.parse(data) as Chunk)
    }
    if (result.chunks >= leaveAfterChunks) {
      response.destroy()
      return { ...result, outcome: 'left' }
    }
  }
  return result
}

interface Chunk {
  error?: { code: string }
  choices?: { delta: { content?: string } }[]
}

function readChunk(result: ChatResult, { error, choices }: Chunk): void {
  if (error) result.code = error.code
  const text = choices?.[0]?.delta.content
  if (!text) return
  result.chunks += 1
  result.text += text
}
