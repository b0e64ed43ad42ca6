import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** The run: feature, url, key, model, prompt, directory and imagePath. */
export const job = JSON.parse(process.env.CONFORMANCE_JOB)

const path = { type: 'string', description: 'An absolute path' }
const object = (properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** The tools that the model can use, with JSON schemas. */
export const TOOLS = [
  { name: 'read_file', description: 'Reads a file.', parameters: object({ path }) },
  { name: 'write_file', description: 'Writes a file.', parameters: object({ path, content: { type: 'string' } }) },
  { name: 'run_command', description: 'Runs a shell command.', parameters: object({ command: { type: 'string' } }) },
]

export function runTool(name, { path, content, command }) {
  if (name === 'read_file') return readFileSync(path, 'utf8')
  if (name === 'write_file') {
    writeFileSync(path, content)
    return 'written'
  }
  return execFileSync('/bin/bash', ['-c', command], { encoding: 'utf8' })
}

export const usesTools = ['tools', 'session', 'affinity', 'thinking'].includes(job.feature)
export const thinks = job.feature === 'thinking'
/** Long runs are streamed, short ones are not. */
export const streams = ['stream', 'session', 'affinity'].includes(job.feature)
export const image = () => readFileSync(job.imagePath).toString('base64')

export const show = (text) => console.log(text)
export const showTokens = (tokens) => console.log(`tokens: ${tokens}`)
export const showModels = (names) => console.log(`models: ${names.join(' ')}`)
/** A stream of one chunk is no stream. */
export const requireChunks = (chunks) => {
  if (streams && job.feature === 'stream' && chunks < 10) throw new Error(`only ${chunks} chunks arrived`)
}

/** Runs the program of the feature; an error is shown as the library reports it. */
export async function main({ chat, countTokens, listModels }) {
  try {
    if (job.feature === 'countTokens') await countTokens()
    else if (job.feature === 'modelList') await listModels()
    else await chat()
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
