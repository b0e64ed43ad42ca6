import type { CanonicalRequest, Tool } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import { asText, type JsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'
import { downLevel } from '../schema/encode-schema.ts'

/** Clients of other dialects switch these on by offering a function of the name. */
const BUILT_IN = new Set(['googleSearch', 'codeExecution'])

export function encodeTools({ tools, toolChoice }: Pick<CanonicalRequest, 'tools' | 'toolChoice'>): JsonObject {
  const functions = tools.flatMap(declarationOf)
  const builtIn = tools.flatMap(builtInOf)
  const written = [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...builtIn]
  const calling = callingOf(toolChoice, functions)
  return {
    ...(written.length > 0 && { tools: written }),
    ...(calling && { toolConfig: { functionCallingConfig: calling } }),
  }
}

function declarationOf(tool: Tool): JsonObject[] {
  switch (tool.type) {
    case 'function': {
      if (BUILT_IN.has(tool.name)) return []
      // A function without parameters must not have a schema: an object has to have properties.
      const parameters = tool.parameters && downLevel(tool.parameters, 'function')
      return [declared(tool.name, tool.description, parameters)]
    }
    case 'text': {
      const description = [tool.description, grammarOf(tool.format)].filter(Boolean).join('\n\n')
      const parameters = { type: 'OBJECT', properties: { input: { type: 'STRING' } }, required: ['input'] }
      return [declared(tool.name, description, parameters)]
    }
    case 'hosted':
      return []
  }
}

function declared(name: string, description: string | undefined, parameters: JsonObject | undefined): JsonObject {
  return { name, ...(description && { description }), ...(parameters && { parameters }) }
}

/** What the text must look like, which only the description can tell here. */
function grammarOf(format: JsonObject | undefined): string {
  const definition = asText(format?.definition)
  return definition && `The input must match this ${asText(format?.syntax) || 'text'} grammar:\n${definition}`
}

function builtInOf(tool: Tool): JsonObject[] {
  if (tool.type === 'hosted') return tool.dialect === OWN ? [tool.value] : []
  return BUILT_IN.has(tool.name) ? [{ [tool.name]: {} }] : []
}

function callingOf(choice: CanonicalRequest['toolChoice'], functions: readonly JsonObject[]): JsonObject | undefined {
  if (choice === undefined || choice === 'auto') return undefined
  if (choice === 'none') return functions.length > 0 ? { mode: 'NONE' } : undefined
  if (choice === 'required') {
    if (functions.length === 0)
      throw new DialectError('cannot_express', 'a tool is required, but the vendor has none of them')
    return { mode: 'ANY' }
  }
  if (!functions.some(({ name }) => name === choice.name)) {
    throw new DialectError(
      'cannot_express',
      `the tool ${choice.name} is required, but the vendor cannot be made to use it`,
    )
  }
  return { mode: 'ANY', allowedFunctionNames: [choice.name] }
}
