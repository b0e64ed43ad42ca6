import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ApiError } from '@tidegate/contract'
import { ByteCollector } from '@tidegate/providers'
import { requireField, type ReadOptions } from './read-body.ts'

/** A form with files. Each byte is held once, for any number of attempts. */
export interface FormBody {
  readonly kind: 'form'
  readonly parts: readonly FormPart[]
}

export type FormPart = { readonly name: string } & (
  | { readonly value: string }
  | { readonly file: string; readonly type: string; readonly chunks: readonly Uint8Array[]; readonly bytes: number }
)

const FORM_CAP_BYTES = 100 * 1024 * 1024
const LIMITS = { fileSize: FORM_CAP_BYTES, files: 20, fields: 200, fieldSize: 1024 * 1024, parts: 220 }

/** Reads a form up to the size limit. */
export async function readForm(
  request: IncomingMessage,
  { beforeLarge }: Pick<ReadOptions, 'beforeLarge'> = {},
): Promise<FormBody> {
  const type = request.headers['content-type'] ?? ''
  requireField(/^multipart\/form-data\b.*boundary=/is.test(type), 'the body must be multipart/form-data')
  if (Number(request.headers['content-length'] ?? 0) > FORM_CAP_BYTES) return tooLarge(request)
  await beforeLarge?.().catch((error: unknown) => {
    request.resume()
    throw error
  })
  const parts: FormPart[] = []
  let full = false
  const busboy = new Busboy({ headers: request.headers as BusboyHeaders, limits: LIMITS })
  busboy.on('field', (name, value, _nameCut, valueCut) => {
    full ||= valueCut
    parts.push({ name, value })
  })
  busboy.on('file', (name, stream, file, _encoding, mime) => {
    const content = new ByteCollector()
    parts.push({
      name,
      file: file ?? 'file',
      type: mime,
      chunks: content.pieces,
      get bytes() {
        return content.length
      },
    })
    stream.on('data', (chunk: Buffer) => content.push(chunk))
    stream.on('limit', () => (full = true))
    stream.on('error', () => {}) // a form that ends within a file fails as a whole, and is rejected
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) busboy.on(limit, () => (full = true))
  try {
    await pipeline(limited, busboy)
  } catch (error) {
    request.resume()
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid_text_request', { reason: 'the form cannot be read' }, { cause: error })
  }
  if (full) return tooLarge(request)
  rejectRepeated(parts)
  return { kind: 'form', parts }

  /** Stops at the first chunk after a limit: the rest need not be parsed. */
  async function* limited(): AsyncGenerator<Buffer> {
    let read = 0
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      read += chunk.length
      if (full || read > FORM_CAP_BYTES) throw new ApiError('body_too_large')
      yield chunk
    }
  }
}

/** When a field is given twice, the provider may use another value than the billed one. */
function rejectRepeated(parts: readonly FormPart[]): void {
  const fields = parts.filter((part) => 'value' in part && !part.name.endsWith(']')).map(({ name }) => name)
  const repeated = fields.find((name, index) => fields.indexOf(name) !== index)
  if (repeated !== undefined) {
    throw new ApiError('invalid_text_request', { reason: `the field ${repeated.slice(0, 50)} is given twice` })
  }
}

function tooLarge(request: IncomingMessage): never {
  request.resume()
  throw new ApiError('body_too_large')
}

export function fieldOf({ parts }: FormBody, name: string): string | undefined {
  const part = parts.findLast((candidate) => candidate.name === name && 'value' in candidate)
  return part && 'value' in part ? part.value : undefined
}

/** The form for the provider, with its model name. Every attempt sends the same bytes. */
export function writeForm({ parts }: FormBody, model: string): { type: string; length: number; open(): Readable } {
  const boundary = `tidegate-${randomUUID()}`
  const pieces: Uint8Array[] = []
  const write = (text: string) => pieces.push(Buffer.from(text))
  for (const part of withModel(parts, model)) {
    write(`--${boundary}\r\ncontent-disposition: form-data; name="${quote(part.name)}"`)
    if ('value' in part) write(`\r\n\r\n${part.value}\r\n`)
    else {
      write(`; filename="${quote(part.file)}"\r\ncontent-type: ${part.type}\r\n\r\n`)
      for (const chunk of part.chunks) pieces.push(chunk)
      write('\r\n')
    }
  }
  write(`--${boundary}--\r\n`)
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: pieces.reduce((sum, piece) => sum + piece.length, 0),
    open: () => Readable.from(pieces, { objectMode: false }),
  }
}

/** The model comes first: some providers route by it while they read. */
function withModel(parts: readonly FormPart[], model: string): FormPart[] {
  return [{ name: 'model', value: model }, ...parts.filter(({ name }) => name !== 'model')]
}

function quote(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
