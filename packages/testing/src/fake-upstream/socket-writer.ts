import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** Writes to the caller, in the sizes a script asks for, and waits while the caller does not read. */
export class SocketWriter {
  readonly #response: ServerResponse
  readonly #sizes: readonly number[] | undefined
  #pending = Buffer.alloc(0)
  #turn = 0

  constructor(response: ServerResponse, sizes?: readonly number[]) {
    this.#response = response
    this.#sizes = sizes
  }

  /** With write sizes, what does not fill the next write waits for more bytes or for `flush`. */
  async write(bytes: Buffer): Promise<void> {
    if (this.#sizes === undefined) return await this.#send(bytes)
    this.#pending = Buffer.concat([this.#pending, bytes])
    while (this.#pending.length >= this.#nextSize()) await this.#sendPiece(this.#nextSize())
  }

  async flush(): Promise<void> {
    if (this.#pending.length > 0) await this.#sendPiece(this.#pending.length)
  }

  #nextSize(): number {
    return this.#sizes![this.#turn % this.#sizes!.length]!
  }

  async #sendPiece(size: number): Promise<void> {
    const piece = this.#pending.subarray(0, size)
    this.#pending = this.#pending.subarray(size)
    this.#turn += 1
    await this.#send(piece)
    // Lets the piece leave on its own: writes of one turn of the event loop share a packet.
    await setImmediate()
  }

  async #send(bytes: Buffer): Promise<void> {
    if (this.#response.destroyed || this.#response.write(bytes)) return
    await Promise.race([once(this.#response, 'drain'), once(this.#response, 'close')])
  }
}
