import { execFile } from 'node:child_process'

interface NpmResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs npm and returns its output, also when it fails. */
export function runNpm(root: string, args: readonly string[]): Promise<NpmResult> {
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: root, maxBuffer: 256 * 1024 ** 2 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })
}
