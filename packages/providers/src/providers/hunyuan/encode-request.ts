import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import {
  cannotExpress,
  readMessages,
  rejectOutputFormat,
  readTools,
  type ChatMessage,
  type ChatTool,
} from '../../custom-protocols/read-chat-request.ts'
import { startAndEndWithUser, mergeTurns } from '../../custom-protocols/merge-turns.ts'
import type { EncodeContext } from '../../provider.ts'

/** Ignores `max_tokens`: Tencent has no such parameter, and every Anthropic client sends it. */
export function encodeHunyuan(
  body: JsonObject,
  { target, stream }: Pick<EncodeContext, 'target' | 'stream'>,
): JsonObject {
  rejectOutputFormat(body)
  const { instructions, turns } = mergeTurns(readMessages(body))
  const system = instructions === '' ? [] : [{ Role: 'system', Content: instructions }]
  return {
    Model: target.model,
    Messages: [...system, ...startAndEndWithUser(turns).map(encodeMessage)],
    Stream: stream,
    ...optional('Temperature', body.temperature),
    ...optional('TopP', body.top_p),
    ...optional('Seed', body.seed),
    ...optional('Stop', typeof body.stop === 'string' ? [body.stop] : body.stop),
    ...encodeTools(body),
  }
}

function encodeMessage({ role, text, images, toolCalls, toolCallId }: ChatMessage): JsonObject {
  return {
    Role: role,
    ...(images.length > 0 ? { Contents: encodeContents(text, images) } : { Content: text }),
    ...(toolCalls.length > 0 && {
      ToolCalls: toolCalls.map(({ id, name, arguments: input }) => ({
        Id: id,
        Type: 'function',
        Function: { Name: name, Arguments: input },
      })),
    }),
    ...(role === 'tool' && { ToolCallId: toolCallId }),
  }
}

function encodeContents(text: string, images: readonly string[]): JsonObject[] {
  return [
    ...(text === '' ? [] : [{ Type: 'text', Text: text }]),
    ...images.map((url) => ({ Type: 'image_url', ImageUrl: { Url: url } })),
  ]
}

function encodeTools(body: JsonObject): JsonObject {
  const tools = readTools(body)
  if (tools.length === 0) return {}
  return { Tools: tools.map(encodeTool), ...encodeChoice(body.tool_choice, tools) }
}

/** The schema is a JSON string. */
function encodeTool({ name, description, parameters }: ChatTool): JsonObject {
  return {
    Type: 'function',
    Function: { Name: name, Description: description, Parameters: JSON.stringify(parameters) },
  }
}

function encodeChoice(choice: unknown, tools: readonly ChatTool[]): JsonObject {
  if (choice === undefined) return {}
  if (choice === 'auto') return { ToolChoice: 'auto' }
  const name = asText(asJsonObject(asJsonObject(choice)?.function)?.name)
  const tool = tools.find((offered) => offered.name === name)
  if (!tool) throw cannotExpress('a required tool call without a name')
  return { ToolChoice: 'custom', CustomTool: encodeTool(tool) }
}

function optional(name: string, value: unknown): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value }
}
