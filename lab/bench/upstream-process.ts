import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const PROGRAM = new URL('../../packages/testing/src/fake-upstream/main.ts', import.meta.url).pathname

/** The fake upstream in its own process, so that it does not share a thread with the clients. */
export async function startUpstream(): Promise<{ url: string; stop(): Promise<void> }> {
  const args = [PROGRAM, '--port', '0', '--first-event-ms', '0', '--between-events-ms', '0', '--forget']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = /http:\S+/.exec(line)?.[0]
  if (url === undefined) throw new Error(`the upstream printed: ${line}`)
  return {
    url,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
