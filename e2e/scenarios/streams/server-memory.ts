import type { RunningServer } from '@tidegate/testing'

/** The environment a server needs to be inspected. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

export interface ServerMemory {
  /** Bytes of live objects and of buffers outside the heap, after garbage collection. */
  measure(): Promise<{ heap: number; buffers: number; rss: number }>
  /** Bytes of the process now, garbage included. */
  rss(): Promise<number>
  close(): void
}

/**
 * Reads the memory of a running server through its debugger. `/metrics` cannot collect garbage first, so its heap size
 * depends more on the last collection than on streams.
 */
export async function openServerMemory(server: RunningServer): Promise<ServerMemory> {
  const address = server.logs.map(({ msg }) => /ws:\/\/\S+/.exec(String(msg))?.[0]).find(Boolean)
  if (address === undefined) throw new Error('the server was not started inspectable')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`no debugger at ${address}`)))
  })
  const waiting = new Map<number, (result: unknown) => void>()
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })

  function sendCommand(method: string, params: object = {}): Promise<unknown> {
    const id = (lastId += 1)
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }

  async function usage(): Promise<NodeJS.MemoryUsage> {
    const response = await sendCommand('Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true })
    return (response as { result: { value: NodeJS.MemoryUsage } }).result.value
  }

  return {
    async measure() {
      await sendCommand('HeapProfiler.collectGarbage')
      await sendCommand('HeapProfiler.collectGarbage') // released by finalizers
      const { heapUsed, arrayBuffers, rss } = await usage()
      return { heap: heapUsed, buffers: arrayBuffers, rss }
    },
    rss: async () => (await usage()).rss,
    close: () => socket.close(),
  }
}
