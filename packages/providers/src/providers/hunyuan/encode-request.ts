import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import {
  cannotExpress,
  messagesOf,
  refuseOutputFormat,
  toolsOf,
  type ChatMessage,
  type ChatTool,
} from '../../custom-protocols/read-chat-request.ts'
import { betweenClients, takeTurns } from '../../custom-protocols/merge-turns.ts'
import type { EncodeContext } from '../../provider.ts'

/** The longest answer cannot be told here: Tencent has no word for it, and every client of Anthropic says it. */
export function encodeHunyuan(
  body: JsonObject,
  { target, stream }: Pick<EncodeContext, 'target' | 'stream'>,
): JsonObject {
  refuseOutputFormat(body)
  const { instructions, turns } = takeTurns(messagesOf(body))
  const system = instructions === '' ? [] : [{ Role: 'system', Content: instructions }]
  return {
    Model: target.model,
    Messages: [...system, ...betweenClients(turns).map(encodeMessage)],
    Stream: stream,
    ...given('Temperature', body.temperature),
    ...given('TopP', body.top_p),
    ...given('Seed', body.seed),
    ...given('Stop', typeof body.stop === 'string' ? [body.stop] : body.stop),
    ...encodeTools(body),
  }
}

function encodeMessage({ role, text, images, calls, callId }: ChatMessage): JsonObject {
  return {
    Role: role,
    ...(images.length > 0 ? { Contents: contents(text, images) } : { Content: text }),
    ...(calls.length > 0 && {
      ToolCalls: calls.map(({ id, name, arguments: input }) => ({
        Id: id,
        Type: 'function',
        Function: { Name: name, Arguments: input },
      })),
    }),
    ...(role === 'tool' && { ToolCallId: callId }),
  }
}

function contents(text: string, images: readonly string[]): JsonObject[] {
  return [
    ...(text === '' ? [] : [{ Type: 'text', Text: text }]),
    ...images.map((url) => ({ Type: 'image_url', ImageUrl: { Url: url } })),
  ]
}

function encodeTools(body: JsonObject): JsonObject {
  const tools = toolsOf(body)
  if (tools.length === 0) return {}
  return { Tools: tools.map(encodeTool), ...encodeChoice(body.tool_choice, tools) }
}

/** The schema is a text here. */
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
  if (!tool) throw cannotExpress('a call of whichever tool')
  return { ToolChoice: 'custom', CustomTool: encodeTool(tool) }
}

function given(name: string, value: unknown): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value }
}
