import { chmod, glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A fresh data directory. Others may enter it: started by root, the embedded database runs as `nobody`. */
export async function throwAwayDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-test-'))
  await chmod(directory, 0o755)
  return directory
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** Ends an embedded database that outlived its server, which happens when the server was killed. */
export async function stopLeftOverDatabase(dataDirectory: string): Promise<void> {
  for await (const file of glob('**/postmaster.pid', { cwd: dataDirectory })) {
    const [firstLine] = (await readFile(join(dataDirectory, file), 'utf8').catch(() => '')).split('\n')
    const pid = Number(firstLine)
    // Immediate shutdown: the data is thrown away with the directory.
    if (pid > 1 && signalled(pid, 'SIGQUIT')) await untilEnded(pid)
  }
}

function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function untilEnded(pid: number): Promise<void> {
  const deadline = Date.now() + 10_000
  while (signalled(pid, 0) && Date.now() < deadline) await delay(20)
}
