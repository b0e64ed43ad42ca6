import type { DocumentPart, ImagePart, TextPart, ToolResultPart } from '../../canonical/index.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCacheMark } from './cache-control.ts'
import { decodeDocument, decodeImage } from './decode-media.ts'

type ResultItem = TextPart | ImagePart | DocumentPart

export function decodeToolResult(block: JsonObject, names: ReadonlyMap<string, string>, place: string): ToolResultPart {
  const callId = asText(block.tool_use_id)
  const { content } = block
  return {
    type: 'tool-result',
    callId,
    name: names.get(callId),
    content:
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : asList(content).flatMap((item) => decodeItem(asJsonObject(item) ?? {}, place)),
    isError: block.is_error === true ? true : undefined,
    cache: readCacheMark(block.cache_control),
  }
}

function decodeItem(item: JsonObject, place: string): ResultItem[] {
  const cache = readCacheMark(item.cache_control)
  switch (item.type) {
    case 'text':
      return [{ type: 'text', text: asText(item.text), cache }]
    case 'image':
      return [decodeImage(item, place)]
    case 'document':
      return decodeDocument(item, place)
    case 'search_result': {
      const texts = asList(item.content).map((text) => asText(asJsonObject(text)?.text))
      return [{ type: 'text', text: [asText(item.title), asText(item.source), ...texts].join('\n'), cache }]
    }
    default:
      // What only this dialect has a form for is still something the tool said: other vendors get to read it as JSON.
      return [{ type: 'text', text: JSON.stringify(item), cache }]
  }
}
