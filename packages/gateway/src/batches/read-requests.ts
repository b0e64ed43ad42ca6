import { asJsonObject, asText, type JsonObject, parseJsonObject } from '@tidegate/dialects'
import type { BatchError, NewLine } from '../ports/index.ts'

/** The paths whose requests can be sent in a batch. */
export const BATCH_ENDPOINTS: readonly string[] = [
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/images/generations',
]
export const MESSAGES_ENDPOINT = '/v1/messages'

export const MAX_LINES = 50_000
export const MAX_MESSAGE_LINES = 100_000
/** Larger requests are not accepted on any endpoint. */
const MAX_LINE_BYTES = 32 * 1024 * 1024
const MAX_ERRORS = 50
const MAX_ID_LENGTH = 512

/** Checks the requests of a batch one by one. */
export class RequestReader {
  readonly #endpoint: string
  readonly #ids = new Set<string>()
  readonly errors: BatchError[] = []
  total = 0
  /** The model of the first request. */
  model = ''

  constructor(endpoint: string) {
    this.#endpoint = endpoint
  }

  /** The request of a line of the file. Undefined, with an error in the list, for one that is not valid. */
  readLine(text: string): NewLine | undefined {
    const number = this.total + 1
    this.total = number
    const line = parseJsonObject(text)
    if (!line) return this.#reject('invalid_json_line', 'This line is not parseable as valid JSON.', null)
    const { custom_id: customId, method, url, body } = line
    if (method !== 'POST') return this.#reject('invalid_method', 'The method of a request must be POST.', 'method')
    if (url !== this.#endpoint) {
      return this.#reject('mismatched_endpoint', `The url of a request must be ${this.#endpoint}.`, 'url')
    }
    return this.#accept(number, customId, { params: asJsonObject(body), param: 'body' })
  }

  /** A request of a message batch. */
  readMessage(request: unknown): NewLine | undefined {
    const number = this.total + 1
    this.total = number
    const { custom_id: customId, params } = asJsonObject(request) ?? {}
    return this.#accept(number, customId, { params: asJsonObject(params), param: 'params' })
  }

  #accept(
    number: number,
    customId: unknown,
    { params, param }: { params: JsonObject | undefined; param: string },
  ): NewLine | undefined {
    const id = asText(customId)
    if (id === '' || id.length > MAX_ID_LENGTH || id.includes('\0') || !id.isWellFormed()) {
      const message = `custom_id is required, with at most ${MAX_ID_LENGTH} characters.`
      return this.#reject('missing_required_parameter', message, 'custom_id')
    }
    if (this.#ids.has(id)) {
      return this.#reject('duplicate_custom_id', `The custom_id ${id} is used by an earlier request.`, 'custom_id')
    }
    this.#ids.add(id)
    if (!params) return this.#reject('missing_required_parameter', `${param} must be a JSON object.`, param)
    if (params.stream === true) {
      return this.#reject('invalid_request', 'Requests of a batch cannot be streamed.', `${param}.stream`)
    }
    if (params.background === true) {
      return this.#reject('invalid_request', 'Requests of a batch cannot run in the background.', `${param}.background`)
    }
    if (this.model === '') this.model = asText(params.model).slice(0, 256)
    return { number, customId: id, body: JSON.stringify(params) }
  }

  #reject(code: string, message: string, param: string | null): undefined {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ code, message, line: this.total, param })
  }

  rejectWhole(code: string, message: string): void {
    this.errors.push({ code, message, line: null, param: null })
  }
}

/** The lines of a file, without empty ones. Undefined for one that is too long. */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined, void> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  let length = 0
  for await (const part of content) {
    const pieces = decoder.decode(part, { stream: true }).split('\n')
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) {
        const line = rest.join('')
        if (line.trim() !== '') yield length > MAX_LINE_BYTES ? undefined : line
        rest = []
        length = 0
      }
      length += piece.length
      if (length <= MAX_LINE_BYTES) rest.push(piece)
    }
  }
  const last = rest.join('')
  if (last.trim() !== '' || length > MAX_LINE_BYTES) yield length > MAX_LINE_BYTES ? undefined : last
}
