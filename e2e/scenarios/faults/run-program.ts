import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a command of the machine and gives what it says; when it fails, that is in the error. */
export async function system(program: string, ...words: string[]): Promise<string> {
  return (await promisify(execFile)(program, words)).stdout
}
