import type { Db } from '../../connection/connect.ts'
import { openBytes, sealBytes } from '../../secrets/sealed-bytes.ts'
import type { Vault } from '../../secrets/vault.ts'
import { addPart, readPart } from './files.ts'

/** Small enough that a reader of one part needs little memory. */
const PART_BYTES = 256 * 1024

/** Writes the content of a file in parts of equal size. */
export class FileContentWriter {
  readonly #deps: { readonly db: Db; readonly vault: Pick<Vault, 'seal'> }
  readonly #fileId: string
  #pieces: Uint8Array[] = []
  #waiting = 0
  #number = 0
  #bytes = 0

  constructor(deps: { readonly db: Db; readonly vault: Pick<Vault, 'seal'> }, fileId: string) {
    this.#deps = deps
    this.#fileId = fileId
  }

  get bytes(): number {
    return this.#bytes
  }

  async write(content: Uint8Array): Promise<void> {
    this.#pieces.push(content)
    this.#waiting += content.length
    this.#bytes += content.length
    if (this.#waiting >= PART_BYTES) await this.#writeParts(PART_BYTES)
  }

  /** Writes what is left. */
  flush(): Promise<void> {
    return this.#writeParts(1)
  }

  /** Keeps the end of the content if it has less than `minimum` bytes. */
  async #writeParts(minimum: number): Promise<void> {
    let content = Buffer.concat(this.#pieces)
    while (content.length >= minimum) {
      const { db, vault } = this.#deps
      const [fileId, number] = [this.#fileId, this.#number]
      this.#number += 1
      const sealed = await sealBytes(vault, partOf(fileId, number), content.subarray(0, PART_BYTES))
      await addPart(db, { file_id: fileId, number, sealed })
      content = content.subarray(PART_BYTES)
    }
    this.#pieces = [content]
    this.#waiting = content.length
  }
}

/** The content of a file, part by part. */
export async function* readContent(
  { db, vault }: { readonly db: Db; readonly vault: Pick<Vault, 'open'> },
  fileId: string,
): AsyncGenerator<Buffer, void> {
  for (let number = 0; ; number += 1) {
    const sealed = await readPart(db, fileId, number)
    if (sealed === undefined) return
    yield await openBytes(vault, partOf(fileId, number), sealed)
  }
}

function partOf(fileId: string, number: number) {
  return { purpose: 'file-part', context: `${fileId}:${number}` } as const
}
