import type { Deployment } from './config.ts'

/** Reads a variable of the environment. */
export type Variable = (name: string) => string | undefined

const FROM_ENVIRONMENT = 'os.environ/'
const OLLAMA = 4
const AWS = 33
const VERTEX = 41

/** The key of a deployment in the form its type has here, or the name of what is not set. */
export function readKey(
  type: number,
  params: Deployment['litellm_params'],
  variable: Variable,
): { key: string; missing?: string } {
  if (type === VERTEX) {
    const credentials = params.vertex_credentials
    const document = typeof credentials === 'object' && credentials ? JSON.stringify(credentials) : credentials
    return resolve([typeof document === 'string' ? document : ''], 'vertex_credentials', variable)
  }
  if (type === AWS) {
    const parts = [params.aws_access_key_id, params.aws_secret_access_key, params.aws_region_name]
    return resolve(parts, 'aws_access_key_id', variable)
  }
  // A local Ollama asks for no key, but a channel has one.
  if (type === OLLAMA && params.api_key === undefined) return { key: 'ollama' }
  return resolve([params.api_key], 'api_key', variable)
}

function resolve(parts: readonly (string | undefined)[], field: string, variable: Variable) {
  const values: string[] = []
  for (const part of parts) {
    const name = part?.startsWith(FROM_ENVIRONMENT) ? part.slice(FROM_ENVIRONMENT.length) : undefined
    const value = name === undefined ? part : variable(name)
    if (value === undefined || value.trim() === '') return { key: '', missing: name ?? field }
    values.push(value.trim())
  }
  return { key: values.join('|') }
}
