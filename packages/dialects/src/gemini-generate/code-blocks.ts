import { asText, asJsonObject, type JsonObject } from '../json/json-object.ts'

/** Code that the model ran, or what came of it, as text other dialects can show; `undefined` when a part has neither. */
export function readCode(part: JsonObject): string | undefined {
  const code = asJsonObject(part.executableCode ?? part.executable_code)
  if (code) return fenced(asText(code.language).toLowerCase() || 'python', asText(code.code))
  const result = asJsonObject(part.codeExecutionResult ?? part.code_execution_result)
  return result && fenced('output', asText(result.output))
}

function fenced(language: string, code: string): string {
  const fence = code.includes('```') ? '~~~~' : '```'
  return `\n${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}\n`
}
