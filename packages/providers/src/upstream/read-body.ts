import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { UpstreamResponse } from './client.ts'
import { FAILURES } from './name-failure.ts'

const DEFAULT_CAP_BYTES = 64 * 1024 * 1024

/** The whole body, decompressed. An answer larger than the cap is given up, for it would be held in memory. */
export async function readBody(response: UpstreamResponse, capBytes = DEFAULT_CAP_BYTES): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await response.read(); chunk; chunk = await response.read()) {
    size += chunk.length
    if (size > capBytes) {
      response.abort()
      throw FAILURES.tooLarge(new Error(`the answer is larger than ${capBytes} bytes`))
    }
    chunks.push(chunk)
  }
  const encoding: string | string[] | undefined = response.headers['content-encoding']
  // Said twice it comes as a list, whatever the type says; packed twice is nothing we asked for.
  return decompress(Buffer.concat(chunks, size), Array.isArray(encoding) ? encoding[0] : encoding, capBytes)
}

/** We ask for plain bodies, yet some vendors compress all the same. */
function decompress(body: Buffer, encoding: string | undefined, maxOutputLength: number): Buffer {
  const unpack = { gzip: gunzipSync, 'x-gzip': gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[
    encoding?.trim().toLowerCase() ?? ''
  ]
  if (!unpack) return body
  try {
    return unpack(body, { maxOutputLength })
  } catch (error) {
    // What unpacks to more than the cap is as large as what came in that size.
    const isBomb = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
    throw isBomb ? FAILURES.tooLarge(error) : FAILURES.unreadable(error)
  }
}
