import { NATIVE, OUT, outFolder } from './paths.ts'
import { runCommand } from './run-command.ts'
import { freePort, startProcess, type Started } from './start-process.ts'

/** Compiles the upstream and the load generator. */
export async function buildNative(): Promise<void> {
  await outFolder('')
  for (const name of ['mock', 'load']) await runCommand('cc', ['-O2', '-o', `${OUT}${name}`, `${NATIVE}${name}.c`])
}

export async function startMock(cores: string): Promise<Started> {
  const port = await freePort()
  return await startProcess({ name: 'mock', program: `${OUT}mock`, words: [String(port)], port, cores })
}
